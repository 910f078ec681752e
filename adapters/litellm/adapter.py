"""`litellm.completion` for Anthropic, with messages in OpenAI's form and litellm's members beside it."""

from intercept import KEY, MODEL, normalizer
from neutral import SCHEMA, serve_library, tool_names
from openai_form import messages, tools
from turnproof_subject import Unsupported

import litellm

litellm.suppress_debug_info = True
litellm.telemetry = False


def inner_url(content):
    """Whether a result holds an image by its URL."""
    return not isinstance(content, str) and any(
        inner.get("source", {}).get("type") == "url"
        for block in content
        if block["type"] == "tool_result" and isinstance(block.get("content"), list)
        for inner in block["content"]
    )


def ask(history):
    if any(inner_url(content) for _, content in history):
        raise Unsupported("an image by its URL in a result: the library fetches it, and here is no network")
    return litellm.completion(
        model=f"anthropic/{MODEL}",
        messages=messages(history, thinking="thinking_blocks", errors=True, documents=True),
        api_key=KEY,
        max_tokens=100,
        num_retries=0,
        tools=tools(tool_names(history), SCHEMA),
    )


serve_library("litellm", normalize_api=normalizer(ask))
