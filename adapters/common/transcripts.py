"""Finds in a transcript what a reader gave of it, for libraries that give messages and no bytes (SPEC.md 3.5.7).

Such a library tells which lines it read, and nothing about the bytes. So lines are found again by what the library says
of each, in the order of the file. A line that it read nothing of is rejected as a whole: it gives no reasons.
"""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional

from turnproof_subject import Unsupported

Record = Dict[str, Any]


class Line(NamedTuple):
    """A line without the white space around it, and the object that it holds, if it holds one."""

    start: int
    end: int
    data: bytes
    record: Optional[Record]


def lines(data: bytes) -> List[Line]:
    """The lines that are not blank."""
    found = []
    start = 0
    for line in data.split(b"\n"):
        written = line.strip(b" \t\r")
        if written:
            begin = start + line.index(written)
            found.append(Line(begin, begin + len(written), written, _object(written)))
        start += len(line) + 1
    return found


def _object(written: bytes) -> Optional[Record]:
    try:
        value = json.loads(written.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def by_uuid(data: bytes) -> Dict[str, List[Line]]:
    """The lines with a uuid, by it, each in the order of the file."""
    made: Dict[str, List[Line]] = {}
    for line in lines(data):
        uuid = _text(line, "uuid")
        if uuid is not None:
            made.setdefault(uuid, []).append(line)
    return made


def found(data: bytes, given: Iterable[Any], is_same: Callable[[Any, Record], bool]) -> List[Line]:
    """The line of each thing that a reader gave, in order. What it is made of, is looked for behind the one before."""
    rest = iter(lines(data))
    there = []
    for one in given:
        line = next((line for line in rest if line.record is not None and is_same(one, line.record)), None)
        if line is None:
            raise Unsupported("what was read stands on no line that is an object: of which bytes it is, is not told")
        there.append(line)
    return there


def parsed(data: bytes, read: List[Line]) -> Dict[str, Any]:
    """The output of `parse` of a reader that gave these lines, and has no words for the others."""
    starts = {line.start for line in read}
    rejected = [piece for line in lines(data) if line.start not in starts for piece in _pieces(line)]
    taken = sorted([*((line.start, line.end) for line in read), *rejected])
    return {
        "records": [
            {
                "start": line.start,
                "end": line.end,
                "type": _text(line, "type"),
                "uuid": _text(line, "uuid"),
                "written": line.data,
            }
            for line in read
        ],
        "blank": _between(taken, len(data)),
        "rejected": [{"start": start, "end": end} for start, end in rejected],
    }


def _pieces(line: Line) -> List[Any]:
    """Runs of NUL, and what stands between them: a reader that rejects a line says nothing of its pieces."""
    pieces = []
    for piece in re.finditer(rb"\0+|[^\0]+", line.data):
        written = piece.group().strip(b" \t\r")
        if written:
            start = line.start + piece.start() + piece.group().index(written)
            pieces.append((start, start + len(written)))
    return pieces


def _between(taken: List[Any], length: int) -> List[Any]:
    ends = [0, *(end for _, end in taken)]
    starts = [*(start for start, _ in taken), length]
    return [[end, start] for end, start in zip(ends, starts) if end < start]


def _text(line: Line, name: str) -> Optional[str]:
    value = (line.record or {}).get(name)
    return value if isinstance(value, str) else None
