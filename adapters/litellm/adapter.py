"""`litellm.completion` for Anthropic, with messages in OpenAI's form and litellm's members beside it.

Streams are put together by `litellm.stream_chunk_builder`.
"""

import json

from intercept import KEY, MODEL, normalizer
from neutral import SCHEMA, TOOL, blocks, serve_library, tool_names
from openai_form import messages, tools
from streams import by_block, only_usual_members, started
from turnproof_subject import Rejected, Unsupported

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
    return complete(messages(history, thinking="thinking_blocks", is_litellm=True), tool_names(history))


def complete(asked, names, **more):
    declared = tools(names, SCHEMA)
    model = f"anthropic/{MODEL}"
    return litellm.completion(
        model=model, messages=asked, api_key=KEY, max_tokens=100, num_retries=0, tools=declared, **more
    )


#: In which order its message tells blocks, whatever their order in the stream.
ORDER = ["thinking", "redacted_thinking", "text", "tool_use"]


def read(chunks):
    """What `stream_chunk_builder` makes of all chunks: thinking, one text, calls."""
    only_usual_members(chunks)
    kinds = [block.get("type") for block in started(chunks)]
    ranks = [max(1, ORDER.index(kind)) for kind in kinds if kind in ORDER]
    if ranks != sorted(ranks) or kinds.count("text") > 1:
        raise Unsupported("blocks in another order than thinking, a text, calls: its message has no order of its own")
    pieces = list(complete([{"role": "user", "content": "a"}], [TOOL], stream=True))
    whole = litellm.stream_chunk_builder(pieces)
    if whole is None:
        raise Rejected("it gives no message of the chunks", "NoMessage")
    return {"model": whole.model, "content": blocks_of(whole.choices[0].message)}


def blocks_of(message):
    made = [dict(block) for block in getattr(message, "thinking_blocks", None) or []]
    if message.content:
        made.append({"type": "text", "text": message.content})
    for call in message.tool_calls or []:
        function = call.function
        made.append({"type": "tool_use", "id": call.id, "name": function.name, "input": given(function.arguments)})
    return made


def given(arguments):
    """The arguments of a call, which are the text of the stream."""
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


serve_library("litellm", normalize_api=normalizer(ask), accumulate=by_block(read))
