"""`get_session_messages` of claude-agent-sdk: which messages of a transcript come back."""

import os
import tempfile
from pathlib import Path

from intercept import refused
from neutral import serve_library
from resume import SESSION, sessions
from transcripts import by_uuid
from turnproof_subject import Unsupported

#: The kinds of participants that it does not give back: it documents messages of user and assistant.
HIDDEN = ("attachment", "hook_result", "system")

READER = sessions()
HOME = tempfile.TemporaryDirectory()
FILE = Path(HOME.name) / "projects" / "project" / f"{SESSION}.jsonl"
FILE.parent.mkdir(parents=True)
os.environ["CLAUDE_CONFIG_DIR"] = HOME.name


def resume(data):
    made = by_uuid(data)
    for line in (line for same in made.values() for line in same):
        if line.record.get("type") in HIDDEN or line.record.get("isMeta"):
            raise Unsupported("records of attachments, hooks or the system, or with isMeta: it gives visible messages")
    FILE.write_bytes(data)
    try:
        messages = READER.get_session_messages(SESSION)
    except Exception as error:  # noqa: BLE001: what it is, is told apart
        refused(error)
    if not messages:
        return None
    return {"records": [{"uuid": message.uuid, "record": bytes_of(message, made)} for message in messages], "notes": []}


def bytes_of(message, made):
    """The last line with the uuid and the message that the library gives. It gives no bytes."""
    same = [line for line in made.get(message.uuid, []) if line.record.get("message") == message.message]
    return same[-1].data if same else b""


serve_library("claude-agent-sdk", resume=resume)
