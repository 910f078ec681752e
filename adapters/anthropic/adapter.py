"""The package `anthropic` as it stands: a request has the turns that its caller gave."""

from importlib.metadata import version

from intercept import KEY, MODEL, messages_of
from neutral import SCHEMA, tool_names, turns
from turnproof_subject import serve

import anthropic

CLIENT = anthropic.Anthropic(api_key=KEY, max_retries=0)


async def normalize_api(messages, options):
    history = turns(messages, options)
    return await messages_of(
        lambda: CLIENT.messages.create(
            model=MODEL,
            max_tokens=100,
            messages=[{"role": role, "content": content} for role, content in history],
            tools=[{"name": name, "input_schema": SCHEMA} for name in tool_names(history)],
        )
    )


serve(name="anthropic", version=version("anthropic"), profile="anthropic", normalize_api=normalize_api)
