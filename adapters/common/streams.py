"""Makes responses of the items of `accumulate` (SPEC.md 4, 10.4): what an accumulator of streams reads.

A response is one stream of server-sent events. A new one begins where a message starts after the last one has stopped,
and after a stream was abandoned. What people say meanwhile is no part of a stream, and is left out.
"""

from __future__ import annotations

import inspect
import json
import re
from typing import Any, Awaitable, Callable, Dict, Iterator, List

from intercept import refused, server_sent, streamed
from turnproof_subject import Unsupported

Chunks = List[bytes]
Message = Dict[str, Any]

#: The types of events and deltas that each library has a form for.
TYPES = {
    *("message_start", "message_delta", "message_stop", "ping"),
    *("content_block_start", "content_block_delta", "content_block_stop"),
    *("text_delta", "thinking_delta", "signature_delta", "input_json_delta"),
}

#: The blocks that each library has a form for, with the members that it has one for.
BLOCKS = {
    "text": {"type", "text"},
    "thinking": {"type", "thinking", "signature"},
    "redacted_thinking": {"type", "data"},
    "tool_use": {"type", "id", "name", "input"},
}


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
    if isinstance(event, dict):
        return server_sent([event])
    data = event if isinstance(event, str) else json.dumps(event)
    return b"".join(b"data: " + line + b"\n" for line in data.encode("utf-8", "replace").split(b"\n")) + b"\n"


def single(chunks: Chunks) -> Chunks:
    if b"".join(chunks).count(b'"message_start"') > 1:
        raise Unsupported("more than one stream in the same bytes: a response is one stream")
    return chunks


def is_cut(chunks: Chunks) -> bool:
    """Whether it ends before its message stops, or with an error of the API."""
    data = b"".join(chunks)
    return b'"message_stop"' not in data or b'"error"' in data


# ---- Libraries with messages of their own form. ---------------------------------------------------------------------


def by_block(read: Callable[[Chunks], Any]) -> Callable[[List[Any]], Awaitable[Dict[str, Any]]]:
    """The operation `accumulate` of a library whose messages tell the blocks of a reply, and not all that is around.

    `read` has the library ask for a stream, and gives its message: `content` in the API's blocks, and `id` and `model`
    if the library keeps them. It may be a coroutine function. A message is answered for each block.
    """

    async def accumulate(items: List[Any]) -> Dict[str, Any]:
        events: List[Message] = []
        for chunks in responses(items):
            around = await _message(chunks, read)
            for block in around.pop("content"):
                uuid = f"00000000-0000-4000-8000-{len(events):012}"
                events.append({"type": "assistant", "uuid": uuid, "message": {**around, "content": [block]}})
        return {"events": events, "live": events}

    return accumulate


async def _message(chunks: Chunks, read: Callable[[Chunks], Any]) -> Message:
    if is_cut(chunks):
        raise Unsupported("a stream that was cut off: which of its blocks are finished is not told")
    only_usual(chunks)
    messages: List[Message] = []

    async def call() -> None:
        message = read(chunks)
        messages.append(await message if inspect.isawaitable(message) else message)

    error = await streamed(chunks, call)
    if error is not None:
        refused(error)
    return {"role": "assistant", **messages[0]}


def only_usual(chunks: Chunks) -> None:
    """A stream with other types of events, deltas and blocks cannot be told in the API's form, or has none."""
    for event in events(chunks):
        kinds = [event.get("type"), _object(event, "delta").get("type"), _object(event, "content_block").get("type")]
        unusual = [kind for kind in kinds if kind is not None and kind not in TYPES and kind not in BLOCKS]
        if unusual:
            raise Unsupported(f"a stream with {unusual[0]}: its messages have another form for it, or none")


def only_usual_members(chunks: Chunks) -> None:
    """For libraries whose parts have no place for a member of a block that they do not know."""
    for block in started(chunks):
        known = BLOCKS.get(block.get("type"), set())
        unusual = [name for name, value in block.items() if name not in known and value not in (None, [])]
        if unusual:
            raise Unsupported(f"a block of the type {block.get('type')} with {unusual[0]}: there is no place for it")


def started(chunks: Chunks) -> List[Dict[str, Any]]:
    """The blocks that start, as they start, in order."""
    return [_object(event, "content_block") for event in events(chunks) if event.get("type") == "content_block_start"]


def events(chunks: Chunks) -> Iterator[Dict[str, Any]]:
    """The events that can be read. What cannot be, the library sees all the same."""
    data: List[str] = []
    for line in re.split(r"\r\n|\r|\n", b"".join(chunks).decode("utf-8", "replace")):
        if line.startswith("data:"):
            data.append(line[5:])
        elif line == "":
            try:
                event = json.loads("\n".join(data))
            except (ValueError, RecursionError):
                event = None
            if isinstance(event, dict):
                yield event
            data = []


def _object(event: Dict[str, Any], name: str) -> Dict[str, Any]:
    value = event.get(name)
    return value if isinstance(value, dict) else {}
