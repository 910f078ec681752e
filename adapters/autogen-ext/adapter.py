"""`AnthropicChatCompletionClient` of autogen-ext, asked with AutoGen's messages."""

from intercept import KEY, MODEL, normalizer
from neutral import SCHEMA, TOOL, arguments, names_by_id, result_content, serve_library, tool_names, unsupported
from openai_form import in_order
from turnproof_subject import Unsupported

from autogen_core import FunctionCall
from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    UserMessage,
)
from autogen_ext.models.anthropic import AnthropicChatCompletionClient

CHAT = AnthropicChatCompletionClient(
    model=MODEL,
    api_key=KEY,
    max_tokens=100,
    max_retries=0,
    model_info={
        "vision": True,
        "function_calling": True,
        "json_output": False,
        "family": "claude-4-sonnet",
        "structured_output": False,
        "multiple_system_messages": True,
    },
)


def reply(content):
    """A reply as the client gives one: a text, or calls with the text before them as `thought`."""
    if isinstance(content, str):
        return AssistantMessage(content=content, source="assistant")
    for block in content:
        if block["type"] not in ("text", "tool_use"):
            raise unsupported(block, "a reply")
    in_order(content, ["text"], ["tool_use"])
    texts = [block["text"] for block in content if block["type"] == "text"]
    if len(texts) > 1:
        raise Unsupported("a reply with several texts: a message of the assistant has one")
    calls = [
        FunctionCall(id=block["id"], name=block["name"], arguments=arguments(block))
        for block in content
        if block["type"] == "tool_use"
    ]
    if texts and not calls:
        return AssistantMessage(content=texts[0], source="assistant")
    return AssistantMessage(content=calls, thought=texts[0] if texts else None, source="assistant")


def prompt(content, names):
    """A message for neighbouring results, as AutoGen's agents make it, and one for what stands between them."""
    if isinstance(content, str):
        return [UserMessage(content=content, source="user")]
    groups = []
    for block in content:
        is_result = block["type"] == "tool_result"
        if not groups or groups[-1][0] != is_result:
            groups.append((is_result, []))
        groups[-1][1].append(result(block, names) if is_result else text(block))
    return [
        FunctionExecutionResultMessage(content=group) if is_result else UserMessage(content=group, source="user")
        for is_result, group in groups or [(False, [])]
    ]


def result(block, names):
    content = result_content(block)
    if isinstance(content, list):
        if len(content) != 1 or content[0]["type"] != "text":
            raise Unsupported("a result that is no single text")
        content = content[0]["text"]
    name = names.get(block["tool_use_id"], TOOL)
    return FunctionExecutionResult(
        content=content, name=name, call_id=block["tool_use_id"], is_error=block.get("is_error")
    )


def text(block):
    if block["type"] == "image":
        raise Unsupported("an image: the type holds its pixels, and the library writes them anew")
    if block["type"] != "text":
        raise unsupported(block, "a prompt")
    return block["text"]


def ask(history):
    names = names_by_id(history)
    made = [
        message
        for role, content in history
        for message in ([reply(content)] if role == "assistant" else prompt(content, names))
    ]
    tools = [{"name": name, "description": name, "parameters": SCHEMA} for name in tool_names(history)]
    return CHAT.create(made, tools=tools)


serve_library("autogen-ext", normalize_api=normalizer(ask))
