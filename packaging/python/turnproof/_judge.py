"""Verdicts on requests, replies and sessions, and the repair of sessions."""

from __future__ import annotations

import base64
import gzip
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from turnproof._json import one_line
from turnproof._program import DIALOGUE

Host = Literal["anthropic", "bedrock-converse", "bedrock-invoke", "vertex", "portable"]
"""Whose rules judge a request. ``portable`` is every host of every year."""

Severity = Literal["info", "warning", "error"]
"""How bad it is: an error is refused by the host, or breaks a client."""


@dataclass(frozen=True)
class Violation:
    """A place where a rule is broken."""

    rule: str
    """The id of the rule, such as ``pairing/result-follows-use``; ``turnproof explain RULE`` teaches it."""
    severity: Severity
    """How bad it is at the host that was asked about."""
    path: str
    """Where: the path of the turn or block, such as ``messages.1.content.0``."""
    kind: str
    """The kind of violation, a fixed word of the rule in kebab case. Decide by rule and kind, not by sentences."""
    found: str
    """What is there, a sentence."""
    expected: str
    """What should be there, a sentence."""
    values: Mapping[str, Any]
    """What differs from case to case: ids, counts, names."""
    error: str | None
    """What the API answers; ``None`` where it says nothing."""
    excerpt: str
    """The beginning of the block or event, as JSON on one line."""
    turn: int | None = None
    """The turn of a request, from 0."""
    block: int | None = None
    """The block in that turn, from 0."""
    event: int | None = None
    """The event of a stream, from 0."""
    line: int | None = None
    """The line of that event, from 1."""

    def __str__(self) -> str:
        return f"{self.severity}[{self.rule}]: {self.path}: {self.error or self.found}"

    @classmethod
    def _of(cls, said: Mapping[str, Any]) -> Violation:
        return cls(
            rule=said["rule"],
            severity=said["severity"],
            path=said["path"],
            kind=said["violation_kind"],
            found=said["found"],
            expected=said["expected"],
            values=said["values"],
            error=said.get("error"),
            excerpt=said["excerpt"],
            turn=said.get("turn"),
            block=said.get("block"),
            event=said.get("event"),
            line=said.get("line"),
        )


class _Illegal(AssertionError):
    """Rules are broken. The text is what ``turnproof check`` prints."""

    def __init__(self, report: str, violations: list[Violation]) -> None:
        super().__init__(report)
        self.report = report
        self.violations = violations


class IllegalRequest(_Illegal):
    """The host refuses the request. ``violations`` has the broken rules, and the text shows them."""


class IllegalReply(_Illegal):
    """Clients cannot read the reply. ``violations`` has the broken rules, and the text shows them."""


@dataclass(frozen=True)
class Refusal:
    """A rule by which the API refuses what the client of today sends of a session."""

    rule: str
    error: str
    """What the API answers."""


@dataclass(frozen=True)
class Verdict:
    """What becomes of a session."""

    file: str
    state: Literal["healthy", "damaged", "refused", "unreadable", "not a session"]
    """``refused``: the API refuses what is sent of it. ``damaged``: something is lost. ``unreadable``: nothing comes
    back."""
    messages: int
    """How many messages it has."""
    comes_back: int
    """How many of them come back when it is resumed."""
    accepted: bool | None
    """Whether the API takes what is sent of it; ``None`` where nothing is sent."""
    errors: tuple[Refusal, ...]
    """Why the API refuses it."""
    consequences: tuple[str, ...]
    """What it means for who holds it, sentences."""
    lost_bytes: int
    """Bytes that hold no record."""
    broken: Mapping[str, int]
    """The rules that are broken, each with how often."""
    run: str | None
    """The command to run next, where there is one."""
    report: str = field(repr=False)
    """What ``turnproof check`` prints."""
    details: Mapping[str, Any] = field(repr=False)
    """All that ``turnproof check --verdict --format json`` says."""

    @property
    def is_healthy(self) -> bool:
        """Whether every reader finds the same conversation, and the API takes it."""
        return self.state == "healthy"


@dataclass(frozen=True)
class Change:
    """What a repair changed."""

    line: int
    """The line of the damaged file, from 1; of an added record the one before it."""
    rule: str
    what: str
    before: bytes
    """Empty where something was added."""
    after: bytes
    """Empty where something was taken out."""


@dataclass(frozen=True)
class Removed:
    """A piece that a repair took out."""

    line: int
    """The line of the damaged file, from 1."""
    rule: str | None
    reason: str
    content: bytes


@dataclass(frozen=True)
class Repair:
    """A session made whole."""

    content: bytes = field(repr=False)
    """The repaired transcript, JSON Lines."""
    changes: tuple[Change, ...]
    removed: tuple[Removed, ...]

    @property
    def changed(self) -> bool:
        """Whether anything had to be changed."""
        return bool(self.changes or self.removed)


def check_request(body: object, host: Host = "anthropic") -> list[Violation]:
    """What the rules say of a request before it is sent. The empty list, or one without errors, says that it is legal.

    ``body`` is the body as a mapping, its list of messages, or either as JSON text. Blocks of the SDK's types may be in
    it. The first call starts the command; each one after it takes a fraction of a millisecond.

    Raises ``ValueError`` for what is no request at all, and ``ProgramError`` where there is no command.
    """
    return _violations(_request(body, host))


def assert_legal(body: object, host: Host = "anthropic") -> None:
    """Raises ``IllegalRequest``, an ``AssertionError``, where the host refuses the request. Its text is what
    ``turnproof check --request`` prints. Raises as ``check_request`` else."""
    judged = _request(body, host)
    if not judged["legal"]:
        raise IllegalRequest(judged["report"], _violations(judged))


def check_response(stream: object) -> list[Violation]:
    """What the rules say of a reply. It is legal where no violation is a warning or an error.

    ``stream`` is a stream of server-sent events as text or bytes, a message, or a list of events: mappings, or objects of
    the SDK's types.

    Raises ``ValueError`` for what is no reply at all, and ``ProgramError`` where there is no command.
    """
    return _violations(_reply(stream))


def assert_legal_reply(stream: object) -> None:
    """Raises ``IllegalReply``, an ``AssertionError``, where clients cannot read the reply. Raises as ``check_response``
    else."""
    judged = _reply(stream)
    if not judged["legal"]:
        raise IllegalReply(judged["report"], _violations(judged))


def check_session(path: str | os.PathLike[str]) -> Verdict:
    """What becomes of a session: the file of one transcript, JSON Lines, which may be compressed by gzip.

    Raises ``ValueError`` where it cannot be read, and ``ProgramError`` where there is no command.
    """
    said = DIALOGUE.ask("judge_session", json.dumps({"path": os.path.abspath(path)}))
    verdict = said["verdict"]
    return Verdict(
        file=os.fspath(path),
        state=verdict["class"],
        messages=verdict["messages"],
        comes_back=verdict["comes_back"],
        accepted=verdict["accepted"],
        errors=tuple(Refusal(rule=one["rule"], error=one["error"]) for one in verdict["errors"]),
        consequences=tuple(verdict["consequences"]),
        lost_bytes=verdict["lost_bytes"],
        broken=verdict["broken"],
        run=verdict["run"],
        report=said["report"],
        details=verdict,
    )


def repair(path: str | os.PathLike[str], to: str | os.PathLike[str] | None = None) -> Repair:
    """Makes a session whole, and changes as little as can be. With ``to`` the repaired transcript is written there; a
    file that is there already is not written over.

    Raises ``OSError`` where a file cannot be read or written, and ``ValueError`` where there is nothing to repair it by.
    """
    content = Path(path).read_bytes()
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    said = DIALOGUE.ask("repair", json.dumps({"jsonl_b64": base64.b64encode(content).decode()}))
    repaired = Repair(
        content=base64.b64decode(said["jsonl_b64"]),
        changes=tuple(
            Change(
                line=one["line"],
                rule=one["rule"],
                what=one["what"],
                before=base64.b64decode(one["before_b64"]),
                after=base64.b64decode(one["after_b64"]),
            )
            for one in said["changes"] or []
        ),
        removed=tuple(
            Removed(
                line=one["line"], rule=one["rule"], reason=one["reason"], content=base64.b64decode(one["removed_b64"])
            )
            for one in said["removed"] or []
        ),
    )
    if to is not None:
        with open(to, "xb") as file:
            file.write(repaired.content)
    return repaired


def _request(body: object, host: Host) -> dict[str, Any]:
    if host not in get_args(Host):
        raise ValueError(f"there is no host {host!r}; there are {', '.join(get_args(Host))}")
    return DIALOGUE.ask("judge_request", f'{{"request":{one_line(body)},"host":"{host}"}}')


def _reply(stream: object) -> dict[str, Any]:
    return DIALOGUE.ask("judge_response", json.dumps({"response": _reply_text(stream)}))


def _reply_text(stream: object) -> str:
    if isinstance(stream, str):
        return stream
    if isinstance(stream, (bytes, bytearray)):
        return stream.decode("utf-8")
    if isinstance(stream, Iterable) and not isinstance(stream, Mapping) and not hasattr(stream, "model_dump"):
        return "\n".join(one_line(event) for event in stream)
    return one_line(stream)


def _violations(judged: Mapping[str, Any]) -> list[Violation]:
    return [Violation._of(one) for one in judged["violations"]]
