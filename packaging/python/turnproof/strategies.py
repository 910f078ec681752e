"""Strategies for Hypothesis, of the same generators as ``turnproof test`` and ``turnproof mock``.

Hypothesis draws bytes and shrinks them; the command makes a case of them. Fewer and smaller bytes are plainer cases.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from turnproof._json import one_line
from turnproof._program import DIALOGUE

_PIECES = 32
_PIECE = 8


def choices(pieces: int = _PIECES) -> st.SearchStrategy[bytes]:
    """Bytes that choose: up to so many ``pieces`` of 8 bytes. ``Mock.begin`` and ``Mock.replies`` take them."""
    # As many pieces as a number says: lists without it are short for the most part.
    piece = st.binary(min_size=_PIECE, max_size=_PIECE)
    return st.integers(0, pieces).flatmap(lambda count: st.lists(piece, min_size=count, max_size=count)).map(b"".join)


def histories(*, legal: bool | None = None) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Dialogues that any client can hold, each a list of turns with ``role`` and ``content``. There are dangling calls,
    empty texts, odd ids and results in the wrong place. With ``legal`` they are legal as requests, or they are not."""
    drawn = choices().map(lambda chosen: _draw("history", chosen))
    if legal is not None:
        drawn = drawn.filter(lambda found: found["legal"] is legal)
    return drawn.map(lambda found: [message["message"] for message in found["messages"]])


def replies(request: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Messages that a model may answer to a request, which must be legal: every kind of block that it allows, in every
    order, and every reason to stop."""
    body = one_line({**request, "stream": False})

    def message(chosen: bytes) -> dict[str, Any]:
        reply: dict[str, Any] = json.loads(_draw("reply", chosen, body)["reply"])
        return reply

    return choices().map(message)


def streams(request: Mapping[str, Any]) -> st.SearchStrategy[str]:
    """The same as streams of server-sent events, as text."""
    body = one_line({**request, "stream": True})

    def stream(chosen: bytes) -> str:
        reply: str = _draw("reply", chosen, body)["reply"]
        return reply

    return choices().map(stream)


def sessions(*, damaged: bool = False) -> st.SearchStrategy[bytes]:
    """Transcripts of a client, JSON Lines, as they can really happen: with crashes and compactions. Those that are
    ``damaged`` have their lines in any order and number, torn or wrong."""
    what = "damaged_session" if damaged else "session"
    return choices().map(lambda chosen: base64.b64decode(_draw(what, chosen)["jsonl_b64"]))


def _draw(what: str, chosen: bytes, request: str | None = None) -> dict[str, Any]:
    asked = "" if request is None else f',"request":{request}'
    return DIALOGUE.ask("draw", f'{{"what":"{what}","bytes_b64":"{base64.b64encode(chosen).decode()}"{asked}}}')
