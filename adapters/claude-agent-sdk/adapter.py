"""`get_session_messages` of claude-agent-sdk: which messages of a transcript come back."""

import json
import os
import tempfile
from pathlib import Path

from intercept import refused
from neutral import serve_library
from resume import SESSION, sessions
from turnproof_subject import Unsupported

#: The kinds of participants that it does not give back: it documents messages of user and assistant.
HIDDEN = ("attachment", "hook_result", "system")

READER = sessions()
HOME = tempfile.TemporaryDirectory()
FILE = Path(HOME.name) / "projects" / "project" / f"{SESSION}.jsonl"
FILE.parent.mkdir(parents=True)
os.environ["CLAUDE_CONFIG_DIR"] = HOME.name


def resume(data):
    lines = lines_by_uuid(data)
    for record, _ in (found for same in lines.values() for found in same):
        if record.get("type") in HIDDEN or record.get("isMeta"):
            raise Unsupported("records of attachments, hooks or the system, or with isMeta: it gives visible messages")
    FILE.write_bytes(data)
    try:
        messages = READER.get_session_messages(SESSION)
    except Exception as error:  # noqa: BLE001: what it is, is told apart
        refused(error)
    if not messages:
        return None
    return {"records": [{"uuid": message.uuid, "record": line_of(message, lines)} for message in messages], "notes": []}


def lines_by_uuid(data):
    """The lines that are JSON objects, with what they say, by their `uuid`. The library gives no bytes."""
    lines = {}
    for line in data.split(b"\n"):
        try:
            record = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and isinstance(record.get("uuid"), str):
            lines.setdefault(record["uuid"], []).append((record, line.strip(b" \t\r")))
    return lines


def line_of(message, lines):
    """The last line with the uuid and the message that the library gives."""
    same = [line for record, line in lines.get(message.uuid, []) if record.get("message") == message.message]
    return same[-1] if same else b""


serve_library("claude-agent-sdk", resume=resume)
