"""`litellm.completion` for Anthropic, with messages in OpenAI's form and litellm's members beside it."""

from intercept import KEY, MODEL, normalizer
from neutral import SCHEMA, blocks, serve_library, tool_names
from openai_form import messages, tools
from turnproof_subject import Unsupported

import litellm

litellm.suppress_debug_info = True
litellm.telemetry = False


def is_fetched(block):
    """Whether it is a document by its URL, or a result that holds an image by its URL."""
    inner = block.get("content")
    return any(
        one.get("source", {}).get("type") == "url" and (one["type"] == "document" or one is not block)
        for one in [block, *(inner if isinstance(inner, list) else [])]
    )


def ask(history):
    if any(is_fetched(block) for _, content in history for block in blocks(content)):
        raise Unsupported("a URL of a document, or in a result: the library fetches it, and here is no network")
    return litellm.completion(
        model=f"anthropic/{MODEL}",
        messages=messages(history, thinking="thinking_blocks", is_litellm=True),
        api_key=KEY,
        max_tokens=100,
        num_retries=0,
        tools=tools(tool_names(history), SCHEMA),
    )


serve_library("litellm", normalize_api=normalizer(ask))
