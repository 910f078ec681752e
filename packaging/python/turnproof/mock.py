"""A *mock* of the Messages API: a process that plays the model, judges each request, and refuses what the API would."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import queue
import subprocess
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import IO, Any, Literal, Union

from turnproof._json import one_line
from turnproof._judge import Host
from turnproof._program import ProgramError, program

Step = Union[str, int, Sequence[object], Mapping[str, Any]]
"""A reply: a text; a list of blocks, in which a ``str`` is a text; the status of an error; or a step of a script as a
mapping (``docs/mock.md``)."""

KEY = "sk-ant-api03-turnproof-mock"
"""A key that opens nothing."""

WAIT = 30.0
"""Seconds that the command may take to answer."""

_SHORT = {
    "cut": "cut-event=4",
    "end": "end-event=4",
    "stall": "stall-event=4",
    "overloaded": "529",
    "rate-limit": "429",
}


class BrokenRules(AssertionError):
    """A request was not legal, or lost something of the one that it continues. The text is what ``turnproof mock``
    prints, and ``requests`` are those requests."""

    def __init__(self, requests: list[Request]) -> None:
        super().__init__("\n".join(request.report.rstrip() for request in requests))
        self.requests = requests


@dataclass(frozen=True)
class Request:
    """A request that came to a mock."""

    number: int
    """Which one it is, from 1."""
    line: str
    """The method and the path, such as ``POST /v1/messages``."""
    model: str
    turns: int
    legal: bool | None
    """Whether the host takes it; ``None`` where it has no body to judge."""
    lost: bool
    """Whether it says something otherwise than the request that it continues."""
    error: str | None
    """What the API says of it, where it is not legal."""
    status: int
    """The status of the answer."""
    answer: str
    """The answer in a few words, such as ``200 end_turn as a stream``."""
    notes: tuple[str, ...]
    """The step that was played, what was left out of it, what failed."""
    report: str = field(repr=False)
    """What ``turnproof mock`` prints of a request that is not legal or lost something; empty for others."""
    _recorded: str = field(repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """Whether it is legal, and nothing was lost."""
        return self.legal is not False and not self.lost

    @cached_property
    def _record(self) -> dict[str, Any]:
        record: dict[str, Any] = json.loads(self._recorded)
        return record

    @property
    def body(self) -> Any:
        """The body that was sent, as parsed JSON: a ``dict``, where it was one. A text for what is no JSON."""
        return self._record["request"]

    @property
    def headers(self) -> dict[str, str]:
        """The headers, by their names in small letters. Keys are masked."""
        headers: dict[str, str] = self._record["headers"]
        return headers

    @property
    def reply(self) -> Any:
        """What was sent back: a message or an error as a ``dict``, or the text of a stream."""
        return self._record["stream"] if "stream" in self._record else self._record["response"]


class Mock:
    """A mock of the Messages API on a free port of loopback.

    >>> with Mock(["Hello."]) as mock:                              # doctest: +SKIP
    ...     client = anthropic.Anthropic(base_url=mock.url, api_key="none")

    It is also an asynchronous context manager. ``start`` and ``stop`` do the same without a block.
    """

    def __init__(
        self,
        script: Iterable[Step] | Mapping[str, Any] | None = None,
        *,
        host: Host = "anthropic",
        seed: int | None = None,
        on_illegal: Literal["refuse", "answer"] = "refuse",
    ) -> None:
        """``script`` says what the model says, and a ``seed`` what it says where the script says nothing. ``on_illegal``
        says whether a request that ``host`` would refuse is refused, or answered all the same."""
        self.url = ""
        """Where it listens, such as ``http://127.0.0.1:40213``; empty before it is started."""
        self._host = host
        self._on_illegal = on_illegal
        self._first: dict[str, Any] = {}
        if script is not None:
            self._first["script"] = _script(script)
        if seed is not None:
            self._first["seed"] = seed
        self._faults: list[str] = []
        self._requests: list[Request] = []
        self._unread: list[bytes] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._answers: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()

    # Life.

    def start(self) -> Mock:
        """Starts it. Raises ``ProgramError`` where that cannot be done, and ``ValueError`` for a script that is none."""
        if self._process is not None:
            return self
        command = [program(), "mock", "--control", "--host", self._host, "--on-illegal", self._on_illegal]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise ProgramError(f"cannot start {command[0]}: {error}") from error
        assert self._process.stdout is not None and self._process.stderr is not None
        first = self._process.stdout.readline()
        if not first:
            why = self._process.stderr.read().decode(errors="replace").strip()
            self.stop()
            raise ProgramError(f"the mock did not start: {why}")
        self.url = json.loads(first)["url"]
        self._reader = threading.Thread(target=self._read, args=[self._process.stdout], daemon=True)
        self._reader.start()
        if self._first:
            try:
                self._say(self._first)
            except ValueError:
                self.stop()
                raise
        return self

    def stop(self) -> None:
        """Ends it. What came before can still be looked at."""
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None and process.stdout is not None and process.stderr is not None
            try:
                process.stdin.close()
                process.wait(WAIT)
            except (OSError, subprocess.TimeoutExpired):
                process.kill()
                process.wait()
            if self._reader is not None:
                self._reader.join()
            process.stdout.close()
            process.stderr.close()

    def __enter__(self) -> Mock:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    async def __aenter__(self) -> Mock:
        return await asyncio.to_thread(self.start)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.stop)

    # What it plays.

    def script(self, steps: Iterable[Step] | Mapping[str, Any]) -> None:
        """Says what the model says from the next request on: each request for a message takes a step of a list. A
        mapping is a whole script, with its ``step`` and what else a script has (``docs/mock.md``). Raises ``ValueError`` for what is no script."""
        self._say({"script": _script(steps)})

    def fault(self, *faults: str) -> None:
        """Lets answers fail: each fault hits one of the next answers, and the one after it is a good one. A fault is
        one that ``turnproof mock --faults`` knows, such as ``cut-event=5``, ``529`` or ``crlf+split``, or one of
        ``cut``, ``end``, ``stall``, ``overloaded``, ``rate-limit``. Raises ``ValueError`` for others."""
        self._say({"faults": ",".join(_SHORT.get(fault, fault) for fault in faults)})

    def seed(self, seed: int) -> None:
        """Lets the model say whatever a model may say, by this seed, where no script says it."""
        self._say({"seed": seed})

    def replies(self, choices: bytes) -> None:
        """Lets bytes choose what the model says where no script says it; ``turnproof.strategies.replies`` draws such.
        Fewer and smaller bytes are plainer replies. When they are used up, the usual answers come."""
        self._say({"replies_b64": base64.b64encode(choices).decode()})

    def begin(self, choices: bytes | None = None) -> None:
        """Begins a run: forgets what was asked and what was to be played. ``choices`` is as in ``replies``."""
        line: dict[str, Any] = {"begin": True}
        if choices is not None:
            line["replies_b64"] = base64.b64encode(choices).decode()
        self._say(line)
        self.clear()

    # What it saw.

    @property
    def env(self) -> dict[str, str]:
        """The variables by which SDKs and clients find it."""
        loopback = "127.0.0.1,localhost"
        known = os.environ.get("NO_PROXY") or os.environ.get("no_proxy")
        return {
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_BASE": self.url,
            "ANTHROPIC_HOST": self.url,
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BEDROCK_BASE_URL": self.url,
            "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": self.url,
            "ANTHROPIC_VERTEX_BASE_URL": f"{self.url}/v1",
            "TURNPROOF_MOCK_URL": self.url,
            "NO_PROXY": f"{known},{loopback}" if known else loopback,
        }

    @property
    def requests(self) -> list[Request]:
        """What was asked until now, in order."""
        if self._process is not None:
            self._say({})
        return self._collect()

    @property
    def problems(self) -> list[Request]:
        """Requests that were not legal, or lost something of the one that they continue."""
        return [request for request in self.requests if not request.ok]

    def assert_legal(self) -> None:
        """Raises ``BrokenRules``, an ``AssertionError``, where a request was not legal or something was lost."""
        problems = self.problems
        if problems:
            raise BrokenRules(problems)

    def clear(self) -> None:
        """Forgets the requests until now: a test that meant them to be refused goes on with it."""
        if self._process is not None:
            self._say({})
        with self._lock:
            self._unread.clear()
            self._requests.clear()

    # How it talks.

    def _say(self, line: Mapping[str, Any]) -> None:
        process = self._process
        if process is None:
            raise ProgramError("the mock does not run: use it in a `with` block, or call start()")
        assert process.stdin is not None
        try:
            process.stdin.write(one_line(line).encode() + b"\n")
            process.stdin.flush()
            answer = self._answers.get(timeout=WAIT)
        except (OSError, queue.Empty):
            answer = None
        if answer is None:
            raise ProgramError("the mock has ended")
        if answer["kind"] == "refused":
            raise ValueError(answer["error"])

    def _read(self, lines: IO[bytes]) -> None:
        # A test waits for no more of this than has to be: what came is looked at when somebody asks.
        for line in lines:
            if line.startswith(b'{"kind":"request"'):
                with self._lock:
                    self._unread.append(line)
            elif line.startswith((b'{"kind":"ready"', b'{"kind":"refused"')):
                self._answers.put(json.loads(line))
        self._answers.put(None)

    def _collect(self) -> list[Request]:
        with self._lock:
            self._requests += [_request(json.loads(line)) for line in self._unread]
            self._unread.clear()
            return list(self._requests)


def _script(steps: Iterable[Step] | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(steps, Mapping):
        return steps
    return {"main": "all", "step": [_step(step) for step in steps]}


def _step(step: Step) -> Mapping[str, Any]:
    if isinstance(step, str):
        return {"text": step}
    if isinstance(step, int):
        return {"error": {"status": step}}
    if isinstance(step, Mapping):
        return step if "type" not in step else {"blocks": [step]}
    return {"blocks": [{"type": "text", "text": block} if isinstance(block, str) else block for block in step]}


def _request(said: Mapping[str, Any]) -> Request:
    return Request(
        number=said["number"],
        line=said["request"],
        model=said["model"],
        turns=said["turns"],
        legal=said["legal"],
        lost=said["lost"],
        error=said["error"],
        status=said["status"],
        answer=said["answer"],
        notes=tuple(said["notes"]),
        report=said["report"] or "",
        _recorded=said["record"],
    )
