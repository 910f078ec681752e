"""`AnthropicModel` of pydantic-ai, asked by `pydantic_ai.direct`: its requests, and the messages of its streams."""

import json

from intercept import KEY, MODEL, normalizer
from neutral import SCHEMA, TOOL, blocks, data, names_by_id, result_content, serve_library, tool_names, unsupported
from streams import by_block, only_usual_members
from turnproof_subject import Unsupported

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import (
    BinaryContent,
    DocumentUrl,
    ImageUrl,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.tools import ToolDefinition

CHAT = AnthropicModel(MODEL, provider=AnthropicProvider(api_key=KEY))


def reply(content):
    return ModelResponse(parts=[reply_part(block) for block in blocks(content)], provider_name="anthropic")


def reply_part(block):
    kind = block["type"]
    if kind == "text":
        return TextPart(block["text"])
    if kind == "thinking":
        # The name of the provider is wanted where there is a signature. What another vendor thought has none.
        vendor = "anthropic" if "signature" in block else None
        return ThinkingPart(block["thinking"], signature=block.get("signature"), provider_name=vendor)
    if kind == "redacted_thinking":
        return ThinkingPart("", id="redacted_thinking", signature=block["data"], provider_name="anthropic")
    if kind == "tool_use":
        return ToolCallPart(block["name"], block["input"], block["id"])
    raise unsupported(block, "a reply")


def prompt(content, names):
    """A part for each result, and one for what stands between results."""
    if isinstance(content, str):
        return ModelRequest(parts=[UserPromptPart(content)])
    parts, others = [], None
    for block in content:
        if block["type"] == "tool_result":
            others = None
            parts.append(result(block, names))
        elif others is None:
            others = [piece(block)]
            parts.append(UserPromptPart(others))
        else:
            others.append(piece(block))
    return ModelRequest(parts=parts)


def result(block, names):
    content = result_content(block)
    if content == []:
        raise Unsupported("a result of no parts: a list is also a value that a tool gives, and so is an empty one")
    if isinstance(content, list):
        content = [piece(inner) for inner in content]
    outcome = "failed" if block.get("is_error") else "success"
    return ToolReturnPart(names.get(block["tool_use_id"], TOOL), content, block["tool_use_id"], outcome=outcome)


def piece(block):
    """A piece of a prompt or of a result."""
    kind = block["type"]
    if kind == "text":
        return block["text"]
    if "title" in block or "context" in block:
        raise Unsupported("the title and the context of a document")
    if kind not in ("image", "document"):
        raise unsupported(block, "a prompt or a result")
    source = block["source"]
    if source["type"] == "url":
        return ImageUrl(source["url"]) if kind == "image" else DocumentUrl(source["url"])
    content = source["data"].encode() if source["type"] == "text" else data(block)
    return BinaryContent(content, media_type=source["media_type"])


def ask(history):
    names = names_by_id(history)
    made = [reply(content) if role == "assistant" else prompt(content, names) for role, content in history]
    return model_request(CHAT, made, model_request_parameters=parameters(tool_names(history)))


def parameters(names):
    tools = [ToolDefinition(name=name, parameters_json_schema=SCHEMA) for name in names]
    return ModelRequestParameters(function_tools=tools, allow_text_output=True)


async def read(chunks):
    """What a stream has come to at its end. Parts have no place for members of blocks that they do not know."""
    only_usual_members(chunks)
    prompt = [ModelRequest.user_text_prompt("a")]
    async with model_request_stream(CHAT, prompt, model_request_parameters=parameters([TOOL])) as stream:
        async for _ in stream:
            pass
    message = stream.get()
    content = [block(part) for part in message.parts]
    return {"id": message.provider_response_id, "model": message.model_name, "content": content}


def block(part):
    """The block of a part."""
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.content}
    if isinstance(part, ThinkingPart) and part.id == "redacted_thinking":
        return {"type": "redacted_thinking", "data": part.signature}
    if isinstance(part, ThinkingPart):
        return {"type": "thinking", "thinking": part.content, "signature": part.signature}
    if isinstance(part, ToolCallPart):
        return {"type": "tool_use", "id": part.tool_call_id, "name": part.tool_name, "input": given(part.args)}
    raise Unsupported(f"a part of the type {type(part).__name__}")


def given(args):
    """The arguments of a call, which are a dict, nothing, or the text of the stream."""
    try:
        return json.loads(args) if isinstance(args, str) and args.strip() else args or {}
    except ValueError:
        return args


serve_library("pydantic-ai-slim", normalize_api=normalizer(ask), accumulate=by_block(read))
