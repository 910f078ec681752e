"""`Claude` of agno, invoked with agno's messages."""

import json

from intercept import KEY, MODEL, normalizer
from neutral import (
    SCHEMA,
    TOOL,
    arguments,
    data,
    grouped,
    names_by_id,
    result_content,
    serve_library,
    tool_names,
    unsupported,
)
from openai_form import tools
from turnproof_subject import Unsupported

from agno.media import File, Image
from agno.models.anthropic import Claude
from agno.models.message import Message

CHAT = Claude(id=MODEL, api_key=KEY, max_tokens=100)


def reply(content):
    """A reply as `Claude` keeps one: its text, calls and thinking, and beside them the blocks that the API gave."""
    if isinstance(content, str):
        return Message(role="assistant", content=content)
    texts = [block["text"] for block in content if block["type"] == "text"]
    calls = [block for block in content if block["type"] == "tool_use"]
    thoughts = [block for block in content if block["type"] == "thinking"]
    redacted = [block["data"] for block in content if block["type"] == "redacted_thinking"]
    kept = {"content_blocks": content} if content else {}
    if thoughts:
        kept["signature"] = thoughts[-1].get("signature")
    return Message(
        role="assistant",
        content="".join(texts) if texts else None,
        tool_calls=[
            {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": arguments(call)}}
            for call in calls
        ]
        or None,
        reasoning_content=thoughts[-1]["thinking"] if thoughts else None,
        redacted_reasoning_content=redacted[-1] if redacted else None,
        provider_data=kept or None,
    )


def prompt(content, names):
    """A message for each result, and one for what stands between results."""
    if isinstance(content, str):
        return [Message(role="user", content=content)]
    return [said(group) if isinstance(group, list) else result(group, names) for group in grouped(content)]


def said(blocks):
    kinds = [("text", "image", "document").index(block["type"]) for block in blocks]
    if kinds != sorted(kinds):
        raise Unsupported("a prompt that is not texts, then images, then documents: the type keeps them apart")
    texts = [block for block in blocks if block["type"] == "text"]
    return Message(
        role="user",
        content=texts[0]["text"] if len(texts) == 1 else texts or None,
        images=[image(block) for block in blocks if block["type"] == "image"] or None,
        files=[document(block) for block in blocks if block["type"] == "document"] or None,
    )


def image(block):
    if block["source"]["type"] == "url":
        raise Unsupported("an image by its URL: the library fetches it, and here is no network")
    media_type = block["source"]["media_type"]
    return Image(content=data(block), mime_type=media_type, format=media_type.split("/")[1])


def document(block):
    if "title" in block or "context" in block:
        raise Unsupported("the title and the context of a document")
    source = block["source"]
    if source["type"] == "url":
        return File(url=source["url"], citations=False)
    content = source["data"].encode() if source["type"] == "text" else data(block)
    return File(content=content, mime_type=source["media_type"], citations=False)


def result(block, names):
    return Message(
        role="tool",
        tool_call_id=block["tool_use_id"],
        tool_name=names.get(block["tool_use_id"], TOOL),
        content=result_content(block),
        tool_call_error=block.get("is_error"),
    )


def ask(history):
    names = names_by_id(history)
    made = [
        message
        for role, content in history
        for message in ([reply(content)] if role == "assistant" else prompt(content, names))
    ]
    return CHAT.invoke(made, Message(role="assistant"), tools=tools(tool_names(history), SCHEMA))


serve_library("agno", normalize_api=normalizer(ask))
