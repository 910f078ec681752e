"""A neutral history as messages of OpenAI's chat form, which several libraries take for all vendors."""

from __future__ import annotations

from typing import Any, Dict, List

from neutral import Block, History, arguments, data_url, result_content, unsupported
from turnproof_subject import Unsupported

Message = Dict[str, Any]


def in_order(blocks: List[Block], *groups: List[str]) -> None:
    """Refuses a reply whose blocks are not in this order: the form keeps its thinking, texts and calls apart."""
    ranks = [next(rank for rank, kinds in enumerate(groups) if block["type"] in kinds) for block in blocks]
    if ranks != sorted(ranks):
        raise Unsupported("a reply whose blocks are not thinking, then texts, then calls: the form keeps them apart")


THINKING = ["thinking", "redacted_thinking"]


def reply(content: Any, thinking: str = "") -> Message:
    """A reply. `thinking` is the member that has the blocks of thinking, as the library names it."""
    if isinstance(content, str):
        return {"role": "assistant", "content": content}
    in_order(content, THINKING, ["text"], ["tool_use"])
    thoughts = [block for block in content if block["type"] in THINKING]
    texts = [block["text"] for block in content if block["type"] == "text"]
    calls = [call(block) for block in content if block["type"] == "tool_use"]
    if thoughts and not thinking:
        raise unsupported(thoughts[0], "a reply")
    message: Message = {"role": "assistant", "content": parts_or_text(texts) if texts else None}
    if thoughts:
        message[thinking] = thoughts
    if calls:
        message["tool_calls"] = calls
    return message


def parts_or_text(texts: List[str]) -> Any:
    """One text is the content itself, as libraries give it. Several are parts: none may be joined with another."""
    return texts[0] if len(texts) == 1 else [{"type": "text", "text": text} for text in texts]


def call(block: Block) -> Dict[str, Any]:
    function = {"name": block["name"], "arguments": arguments(block)}
    return {"id": block["id"], "type": "function", "function": function}


def prompt(content: Any, is_litellm: bool) -> List[Message]:
    """A message of the role tool for each result, and one of the user for what stands between results."""
    if isinstance(content, str):
        return [{"role": "user", "content": content}]
    messages: List[Message] = []
    others = None
    for block in content:
        if block["type"] == "tool_result":
            others = None
            messages.append(result(block, is_litellm))
        elif others is None:
            others = [part(block, is_litellm)]
            messages.append({"role": "user", "content": others})
        else:
            others.append(part(block, is_litellm))
    return messages or [{"role": "user", "content": []}]


def result(block: Block, is_litellm: bool) -> Message:
    content = result_content(block)
    if not isinstance(content, str):
        if not is_litellm and any(inner["type"] != "text" for inner in content):
            raise Unsupported("an image in a result: the form has texts alone there")
        content = [part(inner, is_litellm) for inner in content]
    message = {"role": "tool", "tool_call_id": block["tool_use_id"], "content": content}
    if block.get("is_error"):
        if not is_litellm:
            raise Unsupported("a result that is an error: the form does not say so")
        message["is_error"] = True
    return message


def part(block: Block, is_litellm: bool) -> Dict[str, Any]:
    kind = block["type"]
    if kind == "text":
        return {"type": "text", "text": block["text"]}
    if kind == "image":
        return {"type": "image_url", "image_url": {"url": data_url(block)}}
    if kind != "document":
        raise unsupported(block, "a prompt")
    source = block["source"]
    if "title" not in block and "context" not in block and source["type"] != "text":
        return {"type": "file", "file": {"file_data": data_url(block)}}
    if is_litellm and source["type"] == "text" and "title" in block and "context" in block:
        return block
    raise Unsupported("a document with a title, with a context, or of text")


def messages(history: History, thinking: str = "", is_litellm: bool = False) -> List[Message]:
    """The messages. litellm's own types have errors and images in results, and documents of text, beside OpenAI's."""
    return [
        message
        for role, content in history
        for message in ([reply(content, thinking)] if role == "assistant" else prompt(content, is_litellm))
    ]


def tools(names: List[str], schema: Dict[str, Any]) -> List[Dict[str, Any]]:
    return [{"type": "function", "function": {"name": name, "parameters": schema}} for name in names]
