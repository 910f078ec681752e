"""A prompt for an agent of openai-agents on litellm; its session is kept in the home for the next prompt."""

import asyncio
import os
import pathlib
import subprocess
import sys

from agents import Agent, ModelSettings, Runner, SQLiteSession, function_tool, set_tracing_disabled
from agents.extensions.models.litellm_model import LitellmModel
from openai.types.shared import Reasoning


@function_tool
def shell(command: str) -> str:
    """Runs a command."""
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout


@function_tool
def read(path: str) -> str:
    """Reads a file."""
    return pathlib.Path(path).read_text()


async def main():
    set_tracing_disabled(True)
    url, key = os.environ["ANTHROPIC_BASE_URL"], os.environ["ANTHROPIC_API_KEY"]
    agent = Agent(
        name="talk",
        instructions="Help.",
        tools=[shell, read],
        model=LitellmModel(model="anthropic/claude-sonnet-4-5", base_url=url, api_key=key),
        model_settings=ModelSettings(max_tokens=8000, reasoning=Reasoning(effort="low")),
    )
    session = SQLiteSession("talk", str(pathlib.Path.home() / "session.db"))
    run = Runner.run_streamed(agent, sys.argv[1], session=session, max_turns=20)
    async for _ in run.stream_events():
        pass


asyncio.run(main())
