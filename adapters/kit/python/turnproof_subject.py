"""The kit for Python: lets functions of yours answer the questions of turnproof. Copy this file beside your adapter.

    from turnproof_subject import history, serve

    def normalize_api(messages, options):
        return history(messages)

    serve(name="my-pipeline", normalize_api=normalize_api)

It needs Python 3.9 or later, and no package. The protocol is section 10.4 of turnproof's SPEC.md.

A function gets plain Python values and gives plain Python values. Where the protocol has base64, it gets and gives
`bytes`. It may be a coroutine function. What it raises decides what is answered:

- `Rejected`: the code under test refuses this input. A rule says whether it may.
- `Unsupported`: this is not done. It is counted, and not judged.
- anything else: the program prints the traceback and ends. That is a crash, and a finding of its own.
"""

from __future__ import annotations

import base64
import binascii
import inspect
import json
import math
import os
import sys
import threading
import time
import traceback
from typing import Any, Awaitable, Callable, Dict, List, NoReturn, Optional, Tuple, Union

__all__ = ["OPERATIONS", "Rejected", "Unsupported", "history", "serve"]

PROTOCOL = 1

#: The exit code after a crash. It is not 1, which turnproof takes for a refusal where a process gets one question.
CRASHED = 70

Message = Dict[str, Any]
Turn = Dict[str, Any]


class Rejected(Exception):
    """The code under test refuses this input. `why` is in words, or the exception that it raised."""

    def __init__(self, why: Union[str, BaseException], kind: Optional[str] = None) -> None:
        if isinstance(why, BaseException):
            kind = kind or type(why).__name__
        self.why = str(why) or kind or "no reason was given"
        self.kind = kind
        super().__init__(self.why)


class Unsupported(Exception):
    """This is not done, and should not be judged. `why` is in words."""

    def __init__(self, why: str) -> None:
        self.why = str(why)
        super().__init__(self.why)


def history(messages: List[Message]) -> List[Turn]:
    """The messages as turns, `role` and `content`, one a message. Content that is a text becomes one text block.

    There are two roles. For a message that is neither of `user` nor of `assistant`, `Unsupported` is raised.
    """
    turns = []
    for message in messages:
        role = message.get("type")
        if role not in ("user", "assistant"):
            raise Unsupported(f"a message of type {role}")
        body = message.get("message")
        content = body.get("content") if isinstance(body, dict) else None
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        if not isinstance(content, list):
            raise Unsupported(f"a message of type {role} without content")
        turns.append({"role": role, "content": list(content)})
    return turns


# ---- Bytes: what is base64 on the wire is `bytes` in functions. -----------------------------------------------------


def _decoded(text: str) -> bytes:
    return base64.b64decode(text)


def _with_bytes(value: Any, *names: str) -> Any:
    """A copy of an object, in which members that are bytes have the names and the form of the wire.

    What is anything else stays as it is: turnproof says what is wrong with it.
    """
    if not isinstance(value, dict):
        return value
    value = dict(value)
    for name in names:
        if isinstance(value.get(name), (bytes, bytearray, memoryview)):
            value[name + "_b64"] = binascii.b2a_base64(value.pop(name), newline=False).decode("ascii")
    return value


def _each(values: Any, change: Callable[[Any], Any]) -> Any:
    return [change(value) for value in values] if isinstance(values, (list, tuple)) else values


def _bytes_of_member(value: Any, name: str) -> Any:
    """A step or an item: an object of one member, of which one kind has base64."""
    if isinstance(value, dict) and name + "_b64" in value:
        return {name: _decoded(value[name + "_b64"])}
    return value


def _named(name: str) -> Callable[[Any], Any]:
    """An output of one member. An object that has it already stays."""
    return lambda value: value if isinstance(value, dict) and name in value else {name: value}


def _parsed(value: Any) -> Any:
    if isinstance(value, dict) and "records" in value:
        value = {**value, "records": _each(value["records"], lambda record: _with_bytes(record, "written"))}
    return value


def _found(value: Any) -> Any:
    if isinstance(value, dict) and "conversation" in value:
        value = value["conversation"]
    if isinstance(value, dict) and "records" in value:
        value = {**value, "records": _each(value["records"], lambda record: _with_bytes(record, "record"))}
    return {"conversation": value}


def _repaired(value: Any) -> Any:
    if isinstance(value, (bytes, bytearray, memoryview)):
        value = {"jsonl": value}
    value = _with_bytes(value, "jsonl")
    if not isinstance(value, dict):
        return value
    ways: Dict[str, Callable[[Any], Any]] = {
        "changes": lambda change: _with_bytes(_with_bytes(change, "before"), "after"),
        "removed": lambda piece: _with_bytes(piece, "removed"),
    }
    return {**value, **{name: _each(value[name], way) for name, way in ways.items() if name in value}}


def _recorded(value: Any) -> Any:
    answers = value["answers"] if isinstance(value, dict) and "answers" in value else value
    return {"answers": _each(answers, lambda answer: _with_bytes(answer, "jsonl"))}


def _played(value: Any) -> Any:
    def moment(one: Any) -> Any:
        if not isinstance(one, dict):
            return one
        inner = {name: _with_bytes(one[name], "transcript") for name in ("requested", "crashed") if name in one}
        return {**one, **inner}

    value = _with_bytes(value, "transcript")
    return {**value, "moments": _each(value.get("moments"), moment)} if isinstance(value, dict) else value


def _errors(place: str) -> "_Output":
    def error(one: Any) -> Any:
        return {place: None, "error": one} if isinstance(one, str) else one

    def errors(value: Any) -> Any:
        return {"errors": _each(value["errors"] if isinstance(value, dict) and "errors" in value else value, error)}

    return errors


def _made(value: Any) -> Any:
    is_one = isinstance(value, dict) and "message" in value
    return {"messages": [value]} if is_one else _named("messages")(value)


def _same(value: Any) -> Any:
    return value


_Input = Callable[[Dict[str, Any]], Tuple[Any, ...]]
_Output = Callable[[Any], Any]

#: Each operation: the arguments that a function gets, and the output that is made of what it gives.
_SHAPES: Dict[str, Tuple[_Input, _Output]] = {
    "parse": (lambda asked: (_decoded(asked["jsonl_b64"]),), _parsed),
    "normalize_api": (lambda asked: (asked["messages"], asked.get("options") or {}), _named("messages")),
    "normalize_api_incremental": (lambda asked: (asked["messages"], asked.get("options") or {}), _named("requests")),
    "normalize_ui": (lambda asked: (asked["messages"],), _named("messages")),
    "reorder_ui": (lambda asked: (asked["messages"],), _named("messages")),
    "derive_uuid": (lambda asked: (asked["parent"], asked["index"]), _named("uuid")),
    "short_id": (lambda asked: (asked["uuid"],), _named("short_id")),
    "record": (
        lambda asked: (
            _decoded(asked["jsonl_b64"]),
            asked["session"],
            _each(asked["steps"], lambda step: _bytes_of_member(step, "other_writer")),
        ),
        _recorded,
    ),
    "resume": (lambda asked: (_decoded(asked["jsonl_b64"]),), _found),
    "accumulate": (lambda asked: (_each(asked["items"], lambda item: _bytes_of_member(item, "bytes")),), _same),
    "play": (lambda asked: (asked["inputs"],), _played),
    "check_request": (lambda asked: (asked["request"], asked["host"]), _errors("turn")),
    "check_response": (lambda asked: (asked["response"],), _errors("event")),
    "make": (
        lambda asked: (
            asked["factory"],
            asked["arguments"],
            {name: asked[name] for name in ("uuid", "timestamp", "source") if asked.get(name) is not None},
        ),
        _made,
    ),
    "usage": (lambda asked: ([_decoded(file["jsonl_b64"]) for file in asked["files"]],), _named("rows")),
    "repair": (lambda asked: (_decoded(asked["jsonl_b64"]),), _repaired),
    "fold": (lambda asked: (asked["messages"], asked["folding"]), _named("messages")),
    "unfold": (lambda asked: (asked["messages"],), _named("messages")),
    "bridge": (lambda asked: (asked["messages"],), _named("messages")),
}

#: The names of all operations.
OPERATIONS = tuple(_SHAPES)

_Messages = Callable[[List[Message]], Union[List[Message], Awaitable[List[Message]]]]
_Any = Callable[..., Any]


def serve(
    *,
    name: str,
    version: Optional[str] = None,
    profile: Optional[str] = None,
    lone_surrogates: bool = True,
    parse: Optional[Callable[[bytes], Any]] = None,
    normalize_api: Optional[Callable[[List[Message], Dict[str, Any]], Any]] = None,
    normalize_api_incremental: Optional[Callable[[List[Message], Dict[str, Any]], Any]] = None,
    normalize_ui: Optional[_Messages] = None,
    reorder_ui: Optional[_Messages] = None,
    derive_uuid: Optional[Callable[[str, int], Any]] = None,
    short_id: Optional[Callable[[str], Any]] = None,
    record: Optional[Callable[[bytes, str, List[Any]], Any]] = None,
    resume: Optional[Callable[[bytes], Any]] = None,
    accumulate: Optional[Callable[[List[Any]], Any]] = None,
    play: Optional[Callable[[List[Any]], Any]] = None,
    check_request: Optional[Callable[[Any, str], Any]] = None,
    check_response: Optional[Callable[[str], Any]] = None,
    make: Optional[Callable[[str, Dict[str, Any], Dict[str, Any]], Any]] = None,
    usage: Optional[Callable[[List[bytes]], Any]] = None,
    repair: Optional[Callable[[bytes], Any]] = None,
    fold: Optional[Callable[[List[Message], str], Any]] = None,
    unfold: Optional[_Messages] = None,
    bridge: Optional[_Messages] = None,
) -> None:
    """Answers questions until turnproof says that it is over. Only what has a function here is asked.

    From this call on, standard output belongs to the answers: what anybody prints goes to standard error.

    - `name`, `version`: how reports call the code under test.
    - `profile`: the host that its requests are for, such as "anthropic". It is never judged.
    - `lone_surrogates`: say False when the code under test has a reader or writer of JSON of its own that refuses
      halves of surrogate pairs, as those written in Rust do. It is then not asked about them. Python's takes them.

    The functions, what they get, and what they give:

    - `parse(data)`: a dict of `records` (each `start`, `end`, `type`, `uuid`, `written` as bytes), `blank` (pairs of
      offsets), `rejected` (each `start`, `end`, `reason`) and, if it has them, `reports`.
    - `normalize_api(messages, options)`: the list of turns. `options` may hold `context`. A dict of `messages` (the
      turns) and `messages_after` (the messages that it got, as they are now) has it judged that it changes nothing.
    - `normalize_api_incremental(messages, options)`: a list of turns for each of the messages, made after it came.
    - `normalize_ui(messages)`, `reorder_ui(messages)`, `unfold(messages)`, `bridge(messages)`: the messages.
    - `fold(messages, folding)`: the messages. `folding` is "group" or "collapse".
    - `derive_uuid(parent, index)`: the uuid. `short_id(uuid)`: the short id.
    - `record(data, session, steps)`: for each step a dict of `tip` or `error`, and of `jsonl`, the file as bytes. A
      step is "flush", "restart", or a dict of one member: `list`, `list_before_request`, `disk_takes`, `hints` or
      `other_writer` (bytes).
    - `resume(data)`: None, or a dict of `records` (each `uuid`, and `record` as bytes) and `notes`.
    - `accumulate(items)`: a dict of `events` and `live`, and `slots`, `messages`, `fault` if it has them. An item is
      "abandon", or a dict of one member: `event`, `message` or `bytes`.
    - `play(inputs)`: a dict of `moments`, `transcript` (bytes, also in the moments that have one) and `whole`.
    - `check_request(request, host)`: the errors, each a text, or a dict of `turn` and `error`.
    - `check_response(response)`: the errors, each a text, or a dict of `event` and `error`. The reply is the text that
      was sent, a stream of events or JSON.
    - `make(factory, arguments, given)`: the messages that the factory makes, each a dict of `message` and
      `predicates`. `given` holds `uuid`, `timestamp` and `source`, where the caller gives them.
    - `usage(files)`: the rows.
    - `repair(data)`: the repaired file as bytes. A dict of `jsonl` (the file), `changes` (each `line`, `rule`, `what`,
      `before`, `after`) and `removed` (each `line`, `rule`, `reason`, `removed`) has it judged that all is told.
    """
    functions = {name: function for name, function in locals().items() if name in _SHAPES and function is not None}
    if not functions:
        raise TypeError(f"serve() needs a function for at least one operation: {', '.join(OPERATIONS)}")
    announcement = {
        "name": name,
        "version": version,
        "language": "python",
        "operations": list(functions),
        "profile": profile,
        "lone_surrogates": lone_surrogates,
    }
    _Server({key: value for key, value in announcement.items() if value is not None}, functions).run()


# ---- The loop. ------------------------------------------------------------------------------------------------------


class _Server:
    def __init__(self, announcement: Dict[str, Any], functions: Dict[str, _Any]) -> None:
        self.announcement = announcement
        self.functions = functions
        self.questions, self.answers = _take_pipes()
        self.reader = _Reader()
        self.loop: Any = None

    def run(self) -> None:
        try:
            for number, line in enumerate(self.questions, 1):
                command = self.read(number, line)
                if command["cmd"] == "stop":
                    break
                self.say(self.announcement if command["cmd"] == "start" else self.answer(command))
        except KeyboardInterrupt:
            os._exit(130)
        except BrokenPipeError:
            os._exit(0)
        except BaseException:  # noqa: B902: also `sys.exit` by the code under test is no answer
            _crash()
        _end_soon()

    def read(self, number: int, line: bytes) -> Dict[str, Any]:
        try:
            command = self.reader.read(line)
        except ValueError as error:
            _refuse(f"line {number} is no JSON: {error}")
        if not isinstance(command, dict) or command.get("cmd") not in ("start", "run", "stop"):
            _refuse(f"line {number} is no command of the protocol: its `cmd` is none of start, run and stop")
        if command["cmd"] == "start" and command.get("protocol", PROTOCOL) != PROTOCOL:
            _refuse(f"this kit speaks protocol {PROTOCOL}: copy the kit that comes with your turnproof")
        return command

    def answer(self, command: Dict[str, Any]) -> Dict[str, Any]:
        answer: Dict[str, Any] = {"seq": command["seq"]} if "seq" in command else {}
        operation = str(command.get("operation"))
        function = self.functions.get(operation)
        try:
            if function is None:
                raise Unsupported(f"this subject does not do {operation}")
            if self.reader.is_beyond:
                raise Unsupported("the input has a number that no float holds")
            # A recorder keeps numbers as they are written, and nobody should be blamed for what this kit has lost.
            if operation == "record" and self.reader.is_changed:
                raise Unsupported("the input has a number that Python writes in another form")
            arguments, output = _SHAPES[operation]
            answer["output"] = output(self.finished(function(*arguments(command["input"]))))
        except Rejected as refusal:
            answer["rejected"] = {"message": refusal.why}
            if refusal.kind is not None:
                answer["rejected"]["kind"] = str(refusal.kind)
        except Unsupported as refusal:
            answer["unsupported"] = refusal.why
        return answer

    def finished(self, result: Any) -> Any:
        """What a coroutine gives. All run in one loop, so that clients that belong to a loop live on."""
        if not inspect.isawaitable(result):
            return result
        import asyncio

        async def finish() -> Any:
            return await result

        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        return self.loop.run_until_complete(finish())

    def say(self, answer: Dict[str, Any]) -> None:
        try:
            # Halves of surrogate pairs are written as escapes, which `ensure_ascii` sees to.
            line = json.dumps(answer, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
        except (TypeError, ValueError) as error:
            what = "a function gave what JSON cannot hold; give dicts, lists, texts, numbers, True, False and None"
            raise TypeError(f"{what}: {error}") from None
        self.answers.write(line.encode("ascii") + b"\n")
        self.answers.flush()


class _Reader:
    """Reads JSON, and notes whether it has a number that no float holds, which would be written as `Infinity`.

    It also notes whether a number would be written in another form, as 2.50 is.
    """

    def __init__(self) -> None:
        self.is_beyond = self.is_changed = False
        self.decoder = json.JSONDecoder(parse_float=self.number)

    def read(self, line: bytes) -> Any:
        self.is_beyond = self.is_changed = False
        return self.decoder.decode(line.decode("utf-8"))

    def number(self, text: str) -> float:
        value = float(text)
        self.is_beyond = self.is_beyond or math.isinf(value)
        self.is_changed = self.is_changed or repr(value) != text
        return value


def _take_pipes() -> Tuple[Any, Any]:
    """Questions and answers get descriptors of their own; the usual ones go where they do no harm.

    So also programs that the code under test starts, and libraries in C, print to standard error.
    """
    if sys.stdin is not None and sys.stdin.isatty():
        print("waiting for questions; turnproof asks them: turnproof smoke --subject 'python3 …'", file=sys.stderr)
    questions = os.fdopen(os.dup(0), "rb", buffering=1 << 16)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    return questions, answers


def _crash() -> NoReturn:
    traceback.print_exc()
    _exit(CRASHED)


def _refuse(why: str) -> NoReturn:
    print(f"turnproof_subject: {why}", file=sys.stderr)
    _exit(CRASHED)


def _exit(code: int) -> NoReturn:
    """Ends the program whatever threads the code under test has left."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        pass
    os._exit(code)


def _end_soon() -> None:
    """Lets the program end as usual, and ends it when threads that were left keep it alive."""

    def end() -> None:
        time.sleep(1)
        os._exit(0)

    threading.Thread(target=end, daemon=True).start()
