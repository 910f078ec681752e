"""`AnthropicChatGenerator` of anthropic-haystack, run with Haystack's messages."""

from intercept import KEY, MODEL, normalizer
from neutral import (
    SCHEMA,
    TOOL,
    arguments_object,
    grouped,
    names_by_id,
    result_content,
    serve_library,
    tool_names,
    unsupported,
)
from openai_form import THINKING, in_order
from turnproof_subject import Unsupported

from haystack.dataclasses import (
    ChatMessage,
    FileContent,
    ImageContent,
    ReasoningContent,
    TextContent,
    ToolCall,
)
from haystack.tools import Tool
from haystack.utils import Secret
from haystack_integrations.components.generators.anthropic import AnthropicChatGenerator

CHAT = AnthropicChatGenerator(
    api_key=Secret.from_token(KEY), model=MODEL, max_retries=0, generation_kwargs={"max_tokens": 100}
)


def reply(content):
    if isinstance(content, str):
        return ChatMessage.from_assistant(content)
    in_order(content, THINKING, ["text"], ["tool_use"])
    texts = [block["text"] for block in content if block["type"] == "text"]
    if len(texts) > 1:
        raise Unsupported("a reply with several texts: a message of the assistant has one")
    thoughts = [block for block in content if block["type"] in THINKING]
    calls = [
        ToolCall(tool_name=block["name"], arguments=arguments_object(block), id=block["id"])
        for block in content
        if block["type"] == "tool_use"
    ]
    return ChatMessage.from_assistant(
        texts[0] if texts else None, tool_calls=calls or None, reasoning=reasoning(thoughts) if thoughts else None
    )


def reasoning(thoughts):
    """The thinking of a reply, as the generator gives it."""
    kept = [
        {"reasoning_content": {"redacted_thinking": thought["data"]}}
        if thought["type"] == "redacted_thinking"
        else {"reasoning_content": {"reasoning_text": {"text": thought["thinking"], "signature": thought["signature"]}}}
        for thought in signed(thoughts)
    ]
    text = "".join(thought.get("thinking", "[REDACTED]") for thought in thoughts)
    return ReasoningContent(reasoning_text=text, extra={"reasoning_contents": kept})


def signed(thoughts):
    if any(thought["type"] == "thinking" and "signature" not in thought for thought in thoughts):
        raise Unsupported("thinking without signature, beside which the generator always keeps one")
    return thoughts


def prompt(content, names):
    """A message for each result, and one for what stands between results."""
    if isinstance(content, str):
        return [ChatMessage.from_user(content)]
    return [
        ChatMessage.from_user(content_parts=[part(block) for block in group])
        if isinstance(group, list)
        else result(group, names)
        for group in grouped(content)
    ]


def result(block, names):
    content = result_content(block)
    if not isinstance(content, str):
        content = [part(inner) for inner in content]
    call = ToolCall(tool_name=names.get(block["tool_use_id"], TOOL), arguments={}, id=block["tool_use_id"])
    return ChatMessage.from_tool(content, origin=call, error=bool(block.get("is_error")))


def part(block):
    kind = block["type"]
    if kind == "text":
        return TextContent(block["text"])
    source = block.get("source", {})
    if kind == "image" and source["type"] == "base64":
        return ImageContent(source["data"], mime_type=source["media_type"])
    if kind == "document" and source["type"] == "base64":
        extra = {name: block[name] for name in ("title", "context") if name in block}
        return FileContent(source["data"], mime_type=source["media_type"], extra=extra)
    raise unsupported(block, "a prompt or a result")


def ask(history):
    names = names_by_id(history)
    made = [
        message
        for role, content in history
        for message in ([reply(content)] if role == "assistant" else prompt(content, names))
    ]
    tools = [Tool(name=name, description=name, parameters=SCHEMA, function=print) for name in tool_names(history)]
    return CHAT.run(made, tools=tools)


serve_library("anthropic-haystack", normalize_api=normalizer(ask))
