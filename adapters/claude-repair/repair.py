"""`claude-repair repair --session-path FILE --yes`: removes calls and results that have no counterpart."""

import shutil
import tempfile
from pathlib import Path

from repairs import SESSION, called, main
from turnproof_subject import Rejected

from claude_repair.cli import app


def repair(source, target):
    """It asks at the end whether to keep what it did, which is answered with `c`."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{SESSION}.jsonl")
        shutil.copyfile(source, file)
        said = called(lambda: app(["repair", "--session-path", str(file), "--yes"]), answer="c\n")
        if "Splitting sessions" in said:
            raise Rejected("several sessions in a file: it writes a file for each", "SeveralSessions")
        shutil.copyfile(file, target)
    return said


if __name__ == "__main__":
    main(repair)
