"""The package `anthropic` as it stands: a request has the turns that its caller gave."""

from intercept import KEY, MODEL, normalizer
from neutral import SCHEMA, serve_library, tool_names

import anthropic

CLIENT = anthropic.Anthropic(api_key=KEY, max_retries=0)


def ask(history):
    return CLIENT.messages.create(
        model=MODEL,
        max_tokens=100,
        messages=[{"role": role, "content": content} for role, content in history],
        tools=[{"name": name, "input_schema": SCHEMA} for name in tool_names(history)],
    )


serve_library("anthropic", normalize_api=normalizer(ask))
