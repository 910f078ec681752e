"""Reads a neutral history (SPEC.md 10.4.1): what adapters need of it, whatever the library."""

from __future__ import annotations

import base64
import json
import os
import sys
from importlib.metadata import version
from typing import Any, Dict, List, NoReturn, Tuple

from turnproof_subject import Unsupported, serve

Block = Dict[str, Any]
History = List[Tuple[str, Any]]

#: The tool that a request has beside those that its history names, and the name of a tool whose call is missing.
TOOL = "run"

#: The parameters of all tools. No rule looks at them.
SCHEMA: Dict[str, Any] = {"type": "object", "properties": {"command": {"type": "string"}}}


def turns(messages: List[Dict[str, Any]], options: Dict[str, Any]) -> History:
    """Role and content of each message, as they stand: the content is a text or a list of blocks."""
    if options.get("context"):
        raise Unsupported("a context before the first message")
    for message in messages:
        if message.get("type") not in ("user", "assistant"):
            raise Unsupported(f"a message of type {message.get('type')}")
    return [(message["type"], message["message"]["content"]) for message in messages]


def blocks(content: Any) -> List[Block]:
    """The blocks of a content, for libraries in which a text is nothing but a block."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def calls(history: History) -> List[Block]:
    """The calls of all replies, in order."""
    return [
        block
        for role, content in history
        if role == "assistant" and not isinstance(content, str)
        for block in content
        if block["type"] == "tool_use"
    ]


def tool_names(history: History) -> List[str]:
    """The tools that the history calls, each once, or `run` when it calls none.

    Libraries want the tools of a request to be declared. Hosts want so too, where a history holds calls.
    """
    return list(dict.fromkeys(call["name"] for call in calls(history))) or [TOOL]


def names_by_id(history: History) -> Dict[str, str]:
    """The name of the tool for each id of a call. Some libraries want it at the result."""
    return {call["id"]: call["name"] for call in calls(history)}


def unsupported(block: Block, place: str) -> Unsupported:
    """That the library has no type for a block there."""
    kind = block["type"]
    source = block.get("source", {}).get("type")
    return Unsupported(f"{kind} ({source}) in {place}" if source else f"{kind} in {place}")


def data(block: Block) -> bytes:
    """The bytes of an image or document in base64."""
    return base64.b64decode(block["source"]["data"])


def data_url(block: Block) -> str:
    """The URL of an image or document: its own, or `data:` with what it holds."""
    source = block["source"]
    if source["type"] == "url":
        return source["url"]
    return f"data:{source['media_type']};base64,{source['data']}"


def arguments(call: Block) -> str:
    """The input of a call as libraries have it that keep JSON as a text. One that was cut off is such a text."""
    return call["input"] if isinstance(call["input"], str) else json.dumps(call["input"])


def arguments_object(call: Block) -> Dict[str, Any]:
    """The input of a call for libraries whose types want an object."""
    if not isinstance(call["input"], dict):
        raise Unsupported("an input that was cut off: the type of a call wants an object")
    return call["input"]


def result_content(block: Block) -> Any:
    """The content of a result, for libraries whose type of a result wants one: a text or a list."""
    if "content" not in block:
        raise Unsupported("a result without content: its type wants one")
    return block["content"]


def grouped(content: List[Block]) -> List[Any]:
    """The blocks of a prompt, in order: each result alone, and what stands between results as a list."""
    groups: List[Any] = []
    for block in content:
        if block["type"] == "tool_result":
            groups.append(block)
        elif groups and isinstance(groups[-1], list):
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups or [[]]


def serve_library(package: str, lone_surrogates: bool = True, **functions: Any) -> NoReturn:
    """Serves for a package, and ends at once: what libraries leave behind can take seconds to end by itself."""
    serve(name=package, version=version(package), profile="anthropic", lone_surrogates=lone_surrogates, **functions)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
