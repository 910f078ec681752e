"""A prompt for an agent of strands; its session is kept in the home for the next prompt."""

import os
import pathlib
import subprocess
import sys

from strands import Agent, tool
from strands.models.anthropic import AnthropicModel
from strands.session.file_session_manager import FileSessionManager


@tool
def shell(command: str) -> str:
    """Runs a command.

    Args:
        command: The command.
    """
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout


@tool
def read(path: str) -> str:
    """Reads a file.

    Args:
        path: The file.
    """
    return pathlib.Path(path).read_text()


model = AnthropicModel(
    client_args={"api_key": os.environ["ANTHROPIC_API_KEY"], "base_url": os.environ["ANTHROPIC_BASE_URL"]},
    model_id="claude-sonnet-4-5",
    max_tokens=4000,
    params={"thinking": {"type": "enabled", "budget_tokens": 2000}},
)
sessions = FileSessionManager(session_id="talk", storage_dir=str(pathlib.Path.home() / "sessions"))
print(Agent(model=model, tools=[shell, read], session_manager=sessions)(sys.argv[1]))
