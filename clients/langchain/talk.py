"""A prompt for an agent of langchain; its thread is kept in the home for the next prompt."""

import os
import pathlib
import subprocess
import sys

from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.tools import ToolException, tool
from langgraph.checkpoint.sqlite import SqliteSaver


@tool
def shell(command: str) -> str:
    """Runs a command."""
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    if done.returncode:
        raise ToolException(f"exit {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


@tool
def read(path: str) -> str:
    """Reads a file."""
    try:
        return pathlib.Path(path).read_text()
    except OSError as error:
        raise ToolException(str(error))


shell.handle_tool_error = read.handle_tool_error = True
model = ChatAnthropic(
    model="claude-sonnet-4-5",
    base_url=os.environ["ANTHROPIC_BASE_URL"],
    api_key=os.environ["ANTHROPIC_API_KEY"],
    max_tokens=4000,
    thinking={"type": "enabled", "budget_tokens": 2000},
    streaming=True,
)
with SqliteSaver.from_conn_string(str(pathlib.Path.home() / "threads.db")) as saver:
    agent = create_agent(model, tools=[shell, read], checkpointer=saver)
    config = {"configurable": {"thread_id": "1"}, "recursion_limit": 60}
    print(agent.invoke({"messages": [{"role": "user", "content": sys.argv[1]}]}, config)["messages"][-1].content)
