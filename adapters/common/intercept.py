"""Catches the request that a library sends to the Messages API, and answers it: nothing goes over the network.

Import this module before the library. `normalizer(ask)` makes an operation `normalize_api` of a function that asks the
library, and `streamed(chunks, call)` answers the request of a call with a stream. It catches `httpx` and `httpx2`, the
clients that the packages of all these adapters use. Nothing else gets an answer, and no host name is found.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import socket
import sys
import traceback
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List, NoReturn, Optional

from neutral import History, turns
from turnproof_subject import Rejected, Unsupported

MODEL = "claude-sonnet-4-5"
KEY = "sk-ant-none"

#: The folder of all adapters.
ADAPTERS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

os.environ.update(
    ANTHROPIC_API_KEY=KEY,
    DO_NOT_TRACK="1",
    LITELLM_LOCAL_MODEL_COST_MAP="True",
    HAYSTACK_TELEMETRY_ENABLED="False",
    OPENAI_AGENTS_DISABLE_TRACING="1",
    AGNO_TELEMETRY="false",
)

#: The reply to a request whose own answer is not asked for.
REPLY = {
    "id": "msg_reply",
    "type": "message",
    "role": "assistant",
    "model": MODEL,
    "content": [{"type": "text", "text": "ok"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}

#: The same reply as a stream.
REPLY_EVENTS: List[Dict[str, Any]] = [
    {"type": "message_start", "message": {**REPLY, "content": [], "stop_reason": None}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ok"}},
    {"type": "content_block_stop", "index": 0},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 1},
    },
    {"type": "message_stop"},
]

_bodies: List[bytes] = []
_stream: List[bytes] = []


def server_sent(events: List[Dict[str, Any]]) -> bytes:
    """Events in the form in which the API sends them."""
    return b"".join(
        f"event: {event.get('type')}\ndata: {json.dumps(event)}\n\n".encode("ascii", "backslashreplace")
        for event in events
    )


def normalizer(ask: Callable[[History], Any]) -> Callable[[List[Any], Dict[str, Any]], Awaitable[List[Any]]]:
    """The operation `normalize_api` of a library: `ask` makes its types of a history, and has it ask the model.

    It may be a coroutine function. The answer is the `messages` of the request that is caught.
    """

    async def normalize_api(messages: List[Any], options: Dict[str, Any]) -> List[Any]:
        history = turns(messages, options)
        return await messages_of(lambda: ask(history))

    return normalize_api


async def messages_of(call: Callable[[], Any]) -> List[Any]:
    """The `messages` of the request that `call` makes, which may be a coroutine function.

    What the library raises before it has made one is its refusal (`refused`). What it makes of the fixed
    reply does not matter.
    """
    global _stream
    _stream = [server_sent(REPLY_EVENTS)]
    _bodies.clear()
    error = await _outcome(call)
    if _bodies:
        if error is not None:
            print("after the request:", "".join(traceback.format_exception_only(error)), file=sys.stderr)
        return json.loads(_bodies[0])["messages"]
    if error is None:
        raise Rejected("it returned without a request", "NoRequest")
    refused(error)


async def streamed(chunks: List[bytes], call: Callable[[], Any]) -> Optional[Exception]:
    """Calls, and answers the request with these bytes of server-sent events. Gives what the library raised."""
    global _stream
    _stream = chunks
    _bodies.clear()
    return await _outcome(call)


async def _outcome(call: Callable[[], Any]) -> Optional[Exception]:
    try:
        made = call()
        if inspect.isawaitable(made):
            await made
    except (Rejected, Unsupported):
        raise
    except Exception as error:  # noqa: BLE001: what it is, is told apart by `refused`
        return error
    return None


def refused(error: Exception) -> NoReturn:
    """Raises `Rejected` for an error of a library, and the error itself for one that an adapter made.

    Whoever calls the library gets its error, be it a `ValueError` with reasons or an `IndexError` by mistake, and no
    request. A library that raises `NotImplementedError` says that it does not do this: `Unsupported`.
    """
    if isinstance(error, NotImplementedError):
        raise Unsupported(f"not implemented: {error}") from error
    if _began_in(error).startswith(ADAPTERS + os.sep):
        raise error
    raise Rejected(error) from error


def _began_in(error: Exception) -> str:
    """The file of the statement where it began."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return os.path.realpath(trace.tb_frame.f_code.co_filename) if trace is not None else ""


# ---- The clients. ---------------------------------------------------------------------------------------------------


def _reply(client: Any, request: Any, stream: Any) -> Any:
    """The answer to a request whose body was read."""
    if not request.url.path.endswith("/messages"):
        return client.Response(404, request=request, text="there is no network here")
    _bodies.append(request.content)
    if json.loads(request.content).get("stream"):
        kind = {"content-type": "text/event-stream; charset=utf-8"}
        return client.Response(200, request=request, headers=kind, content=stream)
    return client.Response(200, request=request, json=REPLY)


async def _each(chunks: List[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


def _catch(client: Any) -> None:
    def send(self: Any, request: Any, **_: Any) -> Any:
        request.read()
        return _reply(client, request, iter(_stream))

    async def send_async(self: Any, request: Any, **_: Any) -> Any:
        await request.aread()
        return _reply(client, request, _each(_stream))

    client.Client.send = send
    client.AsyncClient.send = send_async


def _no_network(host: Any, *_: Any, **__: Any) -> NoReturn:
    raise socket.gaierror(socket.EAI_NONAME, f"there is no network here: {host}")


socket.getaddrinfo = _no_network
for _name in ("httpx", "httpx2"):
    try:
        _catch(importlib.import_module(_name))
    except ImportError:
        pass
