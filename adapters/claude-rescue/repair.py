"""`claude-rescue recover-all FOLDER --in-place`: keeps the chain of messages that goes on last in the file."""

import shutil
import tempfile
from pathlib import Path

from repairs import SESSION, arguments, called, main
from turnproof_subject import Rejected

import claude_rescue


def repair(source, target):
    """It works on folders. What it cannot recover it tells at the end, with exit code 0."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{SESSION}.jsonl")
        shutil.copyfile(source, file)
        with arguments("claude-rescue", "recover-all", folder, "--in-place"):
            said = called(claude_rescue.main)
        if " 0 errors." not in said:
            raise Rejected(next(line.strip() for line in said.splitlines() if line.startswith("  error:")), "Error")
        shutil.copyfile(file, target)
    return said


if __name__ == "__main__":
    main(repair)
