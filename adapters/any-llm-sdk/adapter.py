"""`any_llm.acompletion` for Anthropic, with messages in OpenAI's form."""

from intercept import KEY, MODEL, normalizer
from neutral import SCHEMA, serve_library, tool_names
from openai_form import messages, tools
from turnproof_subject import Unsupported

import any_llm


def reply_with_thinking(message):
    """A reply as any-llm gives one: the text of its only thinking, and its signature, which is in `extra_content`."""
    thoughts = message.pop("thoughts", [])
    if not thoughts:
        return message
    if len(thoughts) > 1 or "signature" not in thoughts[0]:
        raise Unsupported("a reply with redacted, unsigned or several thinkings: the form has one with its signature")
    reasoning = {"content": thoughts[0]["thinking"]}
    return {**message, "reasoning": reasoning, "extra_content": {"anthropic": {"signature": thoughts[0]["signature"]}}}


def ask(history):
    return any_llm.acompletion(
        MODEL,
        [reply_with_thinking(message) for message in messages(history, thinking="thoughts")],
        provider="anthropic",
        api_key=KEY,
        max_tokens=100,
        tools=tools(tool_names(history), SCHEMA),
    )


serve_library("any-llm-sdk", normalize_api=normalizer(ask))
