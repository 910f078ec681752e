"""The tools that are given to llm."""

import pathlib
import subprocess


def shell(command: str) -> str:
    """Runs a command."""
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout


def read(path: str) -> str:
    """Reads a file."""
    return pathlib.Path(path).read_text()
