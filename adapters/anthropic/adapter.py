"""The package `anthropic`: the requests of `messages.create`, and the messages of `beta.messages.stream`."""

from intercept import KEY, MODEL, normalizer, streamed
from neutral import SCHEMA, serve_library, tool_names
from streams import is_cut, responses
from turnproof_subject import Rejected

import anthropic

CLIENT = anthropic.Anthropic(api_key=KEY, max_retries=0)


def ask(history):
    return CLIENT.messages.create(
        model=MODEL,
        max_tokens=100,
        messages=[{"role": role, "content": content} for role, content in history],
        tools=[{"name": name, "input_schema": SCHEMA} for name in tool_names(history)],
    )


async def accumulate(items):
    """Whole messages are all that the package makes of streams: nothing is yielded block by block."""
    messages = [message for chunks in responses(items) for message in await read(chunks)]
    return {"events": [], "live": [], "messages": messages}


async def read(chunks):
    """The message of a stream, or what there is of it where the stream was cut off. None began where there is none."""
    found = []

    def stream():
        request = {"model": MODEL, "max_tokens": 100, "messages": [{"role": "user", "content": "a"}]}
        with CLIENT.beta.messages.stream(**request) as events:
            for _ in events:
                found[:] = [events.current_message_snapshot]

    error = await streamed(chunks, stream)
    if error is not None and not is_cut(chunks):
        # Whoever reads the stream gets this error, also an `IndexError` for a block that never started.
        raise Rejected(error)
    return [written(message) for message in found]


def written(message):
    """A message as JSON has it. The package does not write halves of surrogate pairs, which are written here as is."""
    try:
        return message.to_dict(mode="json", warnings=False)
    except ValueError:
        return message.to_dict(mode="python", warnings=False)


serve_library("anthropic", normalize_api=normalizer(ask), accumulate=accumulate)
