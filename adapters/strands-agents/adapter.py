"""`AnthropicModel` of strands-agents, streamed with its messages."""

import base64
from intercept import KEY, MODEL, normalizer
from neutral import SCHEMA, arguments_object, blocks, data, result_content, serve_library, tool_names, unsupported
from turnproof_subject import Unsupported

from strands.models.anthropic import AnthropicModel

CHAT = AnthropicModel(client_args={"api_key": KEY, "max_retries": 0}, model_id=MODEL, max_tokens=100)


def block_of(block, place):
    kind = block["type"]
    if kind == "text":
        return {"text": block["text"]}
    if kind == "thinking":
        signature = {"signature": block["signature"]} if "signature" in block else {}
        return {"reasoningContent": {"reasoningText": {"text": block["thinking"], **signature}}}
    if kind == "redacted_thinking":
        return {"reasoningContent": {"redactedContent": redacted(block["data"])}}
    if kind == "tool_use":
        return {"toolUse": {"toolUseId": block["id"], "name": block["name"], "input": arguments_object(block)}}
    if kind == "tool_result":
        content = result_content(block)
        status = "error" if block.get("is_error") else "success"
        inner = [block_of(one, "a result") for one in blocks(content)]
        return {"toolResult": {"toolUseId": block["tool_use_id"], "status": status, "content": inner}}
    source = block["source"]
    if source["type"] == "url":
        raise unsupported(block, place)
    if kind == "image":
        return {"image": {"format": source["media_type"].split("/")[1], "source": {"bytes": data(block)}}}
    return {"document": document(block)}


def redacted(text):
    """Bytes, which the library writes as base64."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except ValueError:
        decoded = b""
    if base64.b64encode(decoded).decode() != text:
        raise Unsupported("redacted thinking that is no base64: its type wants bytes")
    return decoded


def document(block):
    if "title" not in block or "context" in block:
        raise Unsupported("a document without a title, or with a context: the name is required, and all there is")
    is_text = block["source"]["type"] == "text"
    source = block["source"]["data"].encode() if is_text else data(block)
    return {"format": "txt" if is_text else "pdf", "name": block["title"], "source": {"bytes": source}}


def ask(history):
    made = [
        {"role": role, "content": [block_of(block, f"a message of the {role}") for block in blocks(content)]}
        for role, content in history
    ]
    specs = [{"name": name, "description": name, "inputSchema": {"json": SCHEMA}} for name in tool_names(history)]

    async def stream():
        async for _ in CHAT.stream(made, specs):
            pass

    return stream()


serve_library("strands-agents", normalize_api=normalizer(ask))
