"""`parse_session_file` of claude-code-transcripts: which lines of a transcript it reads."""

import tempfile
from pathlib import Path

from intercept import refused
from neutral import serve_library
from transcripts import found, lines, parsed
from turnproof_subject import Unsupported

from claude_code_transcripts import parse_session_file

FOLDER = tempfile.TemporaryDirectory()
FILE = Path(FOLDER.name) / "session.jsonl"

#: What it leaves out by its own words is "non-message entries".
GIVEN = ("user", "assistant")


def parse(data):
    for line in lines(data):
        if line.record is not None and line.record.get("type") not in GIVEN:
            raise Unsupported("a record that is no message: it leaves it out, and whether it reads it is not told")
    FILE.write_bytes(data)
    try:
        entries = parse_session_file(FILE)["loglines"]
    except Exception as error:  # noqa: BLE001: what it is, is told apart
        refused(error)
    return parsed(data, found(data, entries, is_same))


def is_same(entry, record):
    """Whether an entry is made of a record: all that it holds is type, time and message."""
    defaults = {"timestamp": "", "message": {}}
    return all(entry.get(name) == record.get(name, defaults.get(name)) for name in ("type", "timestamp", "message"))


serve_library("claude-code-transcripts", parse=parse)
