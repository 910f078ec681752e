"""Runs a tool that repairs transcripts: a file in, a file out, and what the tool said of it.

`repair(source, target)` of an adapter writes the repaired transcript to `target` and gives the tool's words. It raises
`Rejected` where the tool ends with an error. `repaired` makes of it what a repair is judged by: bytes in, bytes out,
and what was removed. No tool names the lines that it removes, and so they are found by comparing both files.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple

from transcripts import Line, lines
from turnproof_subject import Rejected

#: The name of a file that a tool is given: the tools look for a session by it.
SESSION = "5e550000-0000-4000-8000-000000000001"

Repair = Callable[[Path, Path], str]


class Repaired(NamedTuple):
    """The repaired file, the lines of the file before that are not in it, and what the tool said."""

    data: bytes
    removed: List[Line]
    said: str


def repaired(data: bytes, repair: Repair) -> Repaired:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "damaged.jsonl"), Path(folder, "repaired.jsonl")
        source.write_bytes(data)
        said = repair(source, target)
        after = target.read_bytes()
    return Repaired(after, removed(data, after), said)


def answer(data: bytes, repair: Repair) -> Dict[str, Any]:
    """The answer of the operation `repair`: no tool names what it changes."""
    made = repaired(data, repair)
    why = "it is not in the file any more"
    gone = [{"line": data.count(b"\n", 0, line.start) + 1, "reason": why, "removed": line.data} for line in made.removed]
    return {"jsonl": made.data, "removed": gone}


def removed(before: bytes, after: bytes) -> List[Line]:
    """The lines that are no more. A line with the same uuid is the same line, in whatever it was changed."""
    left = Counter(key(line) for line in lines(after))
    gone = []
    for line in lines(before):
        if left[key(line)] > 0:
            left[key(line)] -= 1
        else:
            gone.append(line)
    return gone


def key(line: Line) -> Any:
    """What a line is known by: its uuid, else the object that it holds, else its bytes."""
    if line.record is None:
        return line.data
    uuid = line.record.get("uuid")
    return uuid if isinstance(uuid, str) else json.dumps(line.record, sort_keys=True)


def called(command: Callable[[], Any], answer: str = "") -> str:
    """What a command prints, both to standard output and error, when it is called in this process.

    `answer` is what it reads on standard input. An end with another exit code than 0, and an exception, are `Rejected`.
    """
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), _input(answer):
            command()
    except SystemExit as end:
        if end.code not in (None, 0):
            raise Rejected(last_line(said.getvalue()) or f"exit code {end.code}", "SystemExit") from None
    except Exception as error:  # noqa: BLE001: whoever calls the command sees its traceback
        raise Rejected(error) from error
    return said.getvalue()


def last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "").strip()


@contextlib.contextmanager
def _input(text: str) -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.StringIO(text)
    try:
        yield
    finally:
        sys.stdin = before


@contextlib.contextmanager
def arguments(*words: str) -> Iterator[None]:
    """The command line of a `main` that reads it itself."""
    before, sys.argv = sys.argv, list(words)
    try:
        yield
    finally:
        sys.argv = before


def main(repair: Repair) -> None:
    """`python repair.py DAMAGED REPAIRED`: prints what was removed, and as an error what the tool said.

    It ends with exit code 1 where the tool refuses, as a program does that is asked one question.
    """
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} DAMAGED REPAIRED")
    source, target = map(Path, sys.argv[1:])
    try:
        made = repaired(source.read_bytes(), repair)
    except Rejected as refusal:
        sys.exit(f"{refusal.kind}: {refusal.why}")
    target.write_bytes(made.data)
    print(made.said, end="", file=sys.stderr)
    print(json.dumps({"removed": [{"start": line.start, "end": line.end} for line in made.removed]}))
