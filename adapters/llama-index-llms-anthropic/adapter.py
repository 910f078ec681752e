"""`Anthropic` of llama-index-llms-anthropic, asked with the messages of llama-index."""

from intercept import KEY, MODEL, normalizer
from neutral import SCHEMA, blocks, data, result_content, serve_library, tool_names, unsupported
from turnproof_subject import Unsupported

from llama_index.core.base.llms.types import (
    ChatMessage,
    DocumentBlock,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from llama_index.llms.anthropic import Anthropic

CHAT = Anthropic(model=MODEL, api_key=KEY, max_tokens=100, max_retries=0)


def block_of(block, place):
    kind = block["type"]
    if kind == "text":
        return TextBlock(text=block["text"])
    if kind == "thinking":
        more = {"signature": block["signature"]} if "signature" in block else {}
        return ThinkingBlock(content=block["thinking"], additional_information=more)
    if kind == "tool_use":
        return ToolCallBlock(tool_call_id=block["id"], tool_name=block["name"], tool_kwargs=block["input"])
    if kind not in ("image", "document"):
        raise unsupported(block, place)
    source = block["source"]
    if source["type"] == "url":
        raise Unsupported("an image or document by its URL: the library fetches it, and here is no network")
    if kind == "image":
        return ImageBlock(image=data(block), image_mimetype=source["media_type"])
    if "context" in block or "title" not in block or source["type"] == "text":
        raise Unsupported("a document that is no titled PDF: the type gives each a title, and has no context")
    return DocumentBlock(data=data(block), document_mimetype=source["media_type"], title=block["title"])


def messages_for(role, content):
    """A message for each result, and one for what stands between results."""
    if isinstance(content, str):
        return [ChatMessage(role=role, content=content)]
    messages, others = [], None
    for block in content:
        if block["type"] == "tool_result":
            others = None
            messages.append(result(block))
            continue
        made = block_of(block, f"a message of the {role}")
        if others is None:
            others = ChatMessage(role=role, blocks=[])
            messages.append(others)
        others.blocks.append(made)
    return messages or [ChatMessage(role=role, blocks=[])]


def result(block):
    if block.get("is_error"):
        raise Unsupported("a result that is an error: the type of a result does not say so")
    inner = [block_of(one, "a result") for one in blocks(result_content(block))]
    return ChatMessage(role="tool", blocks=inner, additional_kwargs={"tool_call_id": block["tool_use_id"]})


def ask(history):
    made = [message for role, content in history for message in messages_for(role, content)]
    tools = [{"name": name, "description": name, "input_schema": SCHEMA} for name in tool_names(history)]
    return CHAT.chat(made, tools=tools)


serve_library("llama-index-llms-anthropic", normalize_api=normalizer(ask))
