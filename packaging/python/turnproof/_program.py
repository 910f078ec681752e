"""The *program* is the command ``turnproof``. One process of it answers questions, a line each (SPEC 10.4)."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path
from typing import Any

NAMED = "TURNPROOF_PROGRAM"
"""The variable of the environment that names the command, where the one beside this package is not meant."""


class ProgramError(RuntimeError):
    """The command is not here, or does not answer."""


def program() -> str:
    """The path of the command: what ``TURNPROOF_PROGRAM`` names, else the one that was installed with this package, else
    the one of the ``PATH``.

    Raises ``ProgramError`` where there is none.
    """
    named = os.environ.get(NAMED)
    if named:
        return named
    name = "turnproof.exe" if os.name == "nt" else "turnproof"
    user = "nt_user" if os.name == "nt" else "posix_user"
    folders = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent), sysconfig.get_path("scripts", user)]
    beside = (Path(folder, name) for folder in folders)
    found = next((str(path) for path in beside if path.is_file()), None) or shutil.which("turnproof")
    if found is None:
        raise ProgramError(
            f"there is no command `turnproof` in {folders[0]} or on the PATH; "
            f"install the package again, or name the command in {NAMED}"
        )
    return found


class Dialogue:
    """A process that answers questions, one after the other. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._number = 0

    def ask(self, question: str, input_json: str) -> dict[str, Any]:
        """The output to a question, whose input is JSON on one line.

        Raises ``ValueError`` with the command's words where it refuses the input.
        """
        with self._lock:
            answer = self._answer(question, input_json)
        if "output" in answer:
            output: dict[str, Any] = answer["output"]
            return output
        if "rejected" in answer:
            raise ValueError(answer["rejected"]["message"])
        raise ProgramError(f"{program()} cannot answer {question}: it is of another version than this package")

    def _answer(self, question: str, input_json: str) -> dict[str, Any]:
        process = self._running()
        assert process.stdin is not None and process.stdout is not None
        self._number += 1
        line = f'{{"cmd":"run","seq":{self._number},"operation":"{question}","input":{input_json}}}\n'
        try:
            process.stdin.write(line.encode("utf-8", "surrogatepass"))
            process.stdin.flush()
            said = process.stdout.readline()
        except OSError:
            said = b""
        if not said:
            self._process = None
            raise ProgramError(f"{program()} ended with exit code {process.wait()} at the question {question}")
        answer: dict[str, Any] = json.loads(said)
        if answer.get("seq") != self._number:
            # An exception has come between a question and its answer.
            self._process = None
            process.kill()
            raise ProgramError(f"{program()} answered question {answer.get('seq')} instead of {self._number}")
        return answer

    def _running(self) -> subprocess.Popen[bytes]:
        # After a fork the process belongs to the parent.
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            try:
                self._process = subprocess.Popen(
                    [program(), "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
                )
            except OSError as error:
                raise ProgramError(f"cannot start {program()}: {error}") from error
            self._owner = os.getpid()
        return self._process

    def end(self) -> None:
        """Ends the process; the next question starts another one."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            assert process.stdin is not None and process.stdout is not None
            process.stdin.close()
            process.stdout.close()
            process.wait()


DIALOGUE = Dialogue()
"""The process that all calls share."""

atexit.register(DIALOGUE.end)
