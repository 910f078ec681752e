"""`AnthropicLlm` of google-adk, asked with the contents of google-genai."""

from mimetypes import guess_type

from intercept import MODEL, normalizer
from neutral import (
    SCHEMA,
    TOOL,
    arguments_object,
    blocks,
    data,
    names_by_id,
    result_content,
    serve_library,
    tool_names,
    unsupported,
)
from turnproof_subject import Unsupported

from google.adk.models import LlmRequest
from google.adk.models.anthropic_llm import AnthropicLlm
from google.genai import types

CHAT = AnthropicLlm(model=MODEL, max_tokens=100)


def part(block, names):
    kind = block["type"]
    if kind == "text":
        return types.Part(text=block["text"])
    if kind == "thinking":
        # As `content_block_to_part` of the library makes them of a reply.
        signature = block["signature"].encode() if "signature" in block else None
        return types.Part(text=block["thinking"], thought=True, thought_signature=signature)
    if kind == "redacted_thinking":
        return types.Part(thought=True, thought_signature=block["data"].encode())
    if kind == "tool_use":
        call = types.FunctionCall(id=block["id"], name=block["name"], args=arguments_object(block))
        return types.Part(function_call=call)
    if kind == "tool_result":
        return types.Part(function_response=result(block, names))
    if "title" in block or "context" in block:
        raise Unsupported("the title and the context of a document")
    source = block["source"]
    if source["type"] == "url":
        return types.Part(file_data=types.FileData(file_uri=source["url"], mime_type=guess_type(source["url"])[0]))
    if source["type"] == "base64":
        return types.Part(inline_data=types.Blob(mime_type=source["media_type"], data=data(block)))
    raise unsupported(block, "a prompt")


def result(block, names):
    """What a tool gave as a text is `{"result": …}`, as ADK wraps it; images stand beside it."""
    if block.get("is_error"):
        raise Unsupported("a result that is an error: no member of its type says so, and tools say it themselves")
    inner = blocks(result_content(block))
    texts = [one["text"] for one in inner if one["type"] == "text"]
    if len(texts) > 1 or not inner or any(one["type"] == "text" for one in inner[1:]):
        raise Unsupported("a result that is not one text with images behind it")
    return types.FunctionResponse(
        id=block["tool_use_id"],
        name=names.get(block["tool_use_id"], TOOL),
        response={"result": texts[0]} if texts else {},
        parts=[media(one) for one in inner if one["type"] == "image"] or None,
    )


def media(block):
    source = block["source"]
    if source["type"] == "url":
        file = types.FunctionResponseFileData(file_uri=source["url"], mime_type=guess_type(source["url"])[0])
        return types.FunctionResponsePart(file_data=file)
    blob = types.FunctionResponseBlob(mime_type=source["media_type"], data=data(block))
    return types.FunctionResponsePart(inline_data=blob)


async def ask(history):
    names = names_by_id(history)
    declarations = [
        types.FunctionDeclaration(name=name, description=name, parameters_json_schema=SCHEMA)
        for name in tool_names(history)
    ]
    request = LlmRequest(
        model=MODEL,
        contents=[
            types.Content(
                role="model" if role == "assistant" else "user",
                parts=[part(block, names) for block in blocks(content)],
            )
            for role, content in history
        ],
        config=types.GenerateContentConfig(tools=[types.Tool(function_declarations=declarations)]),
    )
    async for _ in CHAT.generate_content_async(request):
        pass


serve_library("google-adk", normalize_api=normalizer(ask))
