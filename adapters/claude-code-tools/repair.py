"""`fix-session FILE --fix --output FILE` of claude-code-tools: relinks messages whose parent is not in the file."""

import shutil

from repairs import arguments, called, main

from claude_code_tools import fix_session


def repair(source, target):
    """It writes no file where it finds nothing to fix: then the file stays as it is."""
    with arguments("fix-session", str(source), "--fix", "--output", str(target)):
        said = called(fix_session.main)
    if not target.exists():
        shutil.copyfile(source, target)
    return said


if __name__ == "__main__":
    main(repair)
