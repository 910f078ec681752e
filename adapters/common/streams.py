"""Makes responses of the items of `accumulate` (SPEC.md 4, 10.4): what an accumulator of streams reads.

A response is one stream of server-sent events. A new one begins where a message starts after the last one has stopped,
and after a stream was abandoned. What people say meanwhile is no part of a stream, and is left out.
"""

from __future__ import annotations

from typing import Any, List

from intercept import server_sent
from turnproof_subject import Unsupported

Chunks = List[bytes]


def responses(items: List[Any]) -> List[Chunks]:
    """Each response: its bytes, cut as they came."""
    found: List[Chunks] = [[]]
    has_stopped = False
    for item in items:
        if item == "abandon":
            found.append([])
            has_stopped = False
        elif "bytes" in item:
            found[-1].append(item["bytes"])
        elif "event" in item:
            event = item["event"]
            kind = event.get("type") if isinstance(event, dict) else None
            if kind == "message_start" and has_stopped:
                found.append([])
                has_stopped = False
            has_stopped = has_stopped or kind == "message_stop"
            found[-1].append(sent(event))
    return [single(chunks) for chunks in found if chunks]


def sent(event: Any) -> bytes:
    if not isinstance(event, str):
        return server_sent([event])
    return b"".join(b"data: " + line + b"\n" for line in event.encode("utf-8", "replace").split(b"\n")) + b"\n"


def single(chunks: Chunks) -> Chunks:
    if b"".join(chunks).count(b'"message_start"') > 1:
        raise Unsupported("more than one stream in the same bytes: a response is one stream")
    return chunks


def is_cut(chunks: Chunks) -> bool:
    """Whether it ends before its message stops, or with an error of the API."""
    data = b"".join(chunks)
    return b'"message_stop"' not in data or b'"error"' in data
