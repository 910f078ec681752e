"""A prompt for the tool runner of the SDK; its messages are kept in the home for the next prompt."""

import json
import pathlib
import subprocess
import sys

import anthropic
from anthropic import beta_tool


@beta_tool
def shell(command: str) -> str:
    """Runs a command.

    Args:
        command: The command.
    """
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout


@beta_tool
def read(path: str) -> str:
    """Reads a file.

    Args:
        path: The file.
    """
    return pathlib.Path(path).read_text()


kept = pathlib.Path.home() / "messages.json"
messages = json.loads(kept.read_text()) if kept.exists() else []
messages.append({"role": "user", "content": sys.argv[1]})
runner = anthropic.Anthropic().beta.messages.tool_runner(
    model="claude-sonnet-4-5",
    max_tokens=4000,
    thinking={"type": "enabled", "budget_tokens": 2000},
    tools=[shell, read],
    messages=list(messages),
    stream=True,
    max_iterations=20,
)
try:
    for stream in runner:
        message = stream.get_final_message()
        messages.append({"role": "assistant", "content": message.to_dict()["content"]})
        result = runner.generate_tool_call_response()
        if result is not None:
            messages.append(result)
finally:
    kept.write_text(json.dumps(messages))
