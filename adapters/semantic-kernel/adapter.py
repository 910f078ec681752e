"""`AnthropicChatCompletion` of semantic-kernel, asked with its chat history."""

from intercept import KEY, MODEL, normalizer
from neutral import TOOL, arguments, blocks, data_url, names_by_id, result_content, serve_library, unsupported
from turnproof_subject import Unsupported

from semantic_kernel.connectors.ai.anthropic import AnthropicChatCompletion, AnthropicChatPromptExecutionSettings
from semantic_kernel.contents import (
    AuthorRole,
    ChatHistory,
    ChatMessageContent,
    FunctionCallContent,
    FunctionResultContent,
    ImageContent,
    TextContent,
)

CHAT = AnthropicChatCompletion(ai_model_id=MODEL, api_key=KEY)


def reply(content):
    if isinstance(content, str):
        return ChatMessageContent(role=AuthorRole.ASSISTANT, content=content)
    return ChatMessageContent(role=AuthorRole.ASSISTANT, items=[reply_item(block) for block in content])


def reply_item(block):
    if block["type"] == "text":
        return TextContent(text=block["text"])
    if block["type"] == "tool_use":
        return FunctionCallContent(id=block["id"], name=block["name"], arguments=arguments(block))
    raise unsupported(block, "a reply")


def prompt(content, names):
    """A message for each result, and one for what stands between results."""
    if isinstance(content, str):
        return [ChatMessageContent(role=AuthorRole.USER, content=content)]
    messages, others = [], None
    for block in content:
        if block["type"] == "tool_result":
            others = None
            messages.append(ChatMessageContent(role=AuthorRole.TOOL, items=[result(block, names)]))
        elif others is None:
            others = ChatMessageContent(role=AuthorRole.USER, items=[prompt_item(block)])
            messages.append(others)
        else:
            others.items.append(prompt_item(block))
    return messages or [ChatMessageContent(role=AuthorRole.USER, items=[])]


def prompt_item(block):
    if block["type"] == "text":
        return TextContent(text=block["text"])
    if block["type"] == "image":
        is_url = block["source"]["type"] == "url"
        return ImageContent(uri=data_url(block)) if is_url else ImageContent(data_uri=data_url(block))
    raise unsupported(block, "a prompt")


def result(block, names):
    if block.get("is_error"):
        raise Unsupported("a result that is an error: the type does not say so")
    inner = blocks(result_content(block))
    if len(inner) != 1 or inner[0]["type"] != "text":
        raise Unsupported("a result that is no single text")
    name = names.get(block["tool_use_id"], TOOL)
    return FunctionResultContent(id=block["tool_use_id"], name=name, result=inner[0]["text"])


def ask(history):
    names = names_by_id(history)
    made = ChatHistory()
    for role, content in history:
        for message in [reply(content)] if role == "assistant" else prompt(content, names):
            made.add_message(message)
    return CHAT.get_chat_message_contents(made, AnthropicChatPromptExecutionSettings(max_tokens=100))


serve_library("semantic-kernel", normalize_api=normalizer(ask))
