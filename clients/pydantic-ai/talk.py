"""A prompt for an agent of pydantic-ai; its messages are kept in the home for the next prompt."""

import asyncio
import pathlib
import subprocess
import sys

from pydantic_ai import Agent, ModelRetry, capture_run_messages
from pydantic_ai.messages import ModelMessagesTypeAdapter
from pydantic_ai.models.anthropic import AnthropicModelSettings

thinking = {"type": "enabled", "budget_tokens": 2000}
agent = Agent("anthropic:claude-sonnet-4-5", model_settings=AnthropicModelSettings(max_tokens=8000, anthropic_thinking=thinking))


@agent.tool_plain(retries=3)
def shell(command: str) -> str:
    """Runs a command."""
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    if done.returncode:
        raise ModelRetry(f"exit {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


@agent.tool_plain(retries=3)
def read(path: str) -> str:
    """Reads a file."""
    try:
        return pathlib.Path(path).read_text()
    except OSError as error:
        raise ModelRetry(str(error))


async def listen(_, events):
    async for _ in events:
        pass


async def main():
    kept = pathlib.Path.home() / "messages.json"
    history = ModelMessagesTypeAdapter.validate_json(kept.read_bytes()) if kept.exists() else None
    with capture_run_messages() as messages:
        try:
            print((await agent.run(sys.argv[1], message_history=history, event_stream_handler=listen)).output)
        finally:
            kept.write_bytes(ModelMessagesTypeAdapter.dump_json(list(messages)))


asyncio.run(main())
