"""claude-code-log: which lines `load_transcript` reads, and in which order `load_directory_transcripts` tells them."""

import tempfile
from pathlib import Path

from intercept import refused
from neutral import serve_library
from transcripts import by_uuid, found, lines, parsed
from turnproof_subject import Unsupported

from claude_code_log.converter import SILENT_SKIP_TYPES, load_directory_transcripts, load_transcript
from claude_code_log.models import (
    AssistantTranscriptEntry,
    AttachmentTranscriptEntry,
    BaseTranscriptEntry,
    SystemTranscriptEntry,
    UserTranscriptEntry,
)

FOLDER = tempfile.TemporaryDirectory()
FILE = Path(FOLDER.name) / "5e550000-0000-4000-8000-000000000001.jsonl"

#: The entries that it shows of a conversation. The others hold a chain together, or are told beside it.
SHOWN = (UserTranscriptEntry, AssistantTranscriptEntry, SystemTranscriptEntry, AttachmentTranscriptEntry)

#: The members without which its types refuse a message.
WANTED = [name for name, field in BaseTranscriptEntry.model_fields.items() if field.is_required()]
MESSAGES = ("user", "assistant", "system", "attachment")

#: Other types that it reads, with what tells one from another type.
OTHERS = {"summary": ["leafUuid"], "ai-title": ["aiTitle"], "queue-operation": ["operation"]}


def whole(record):
    """A record, unless it is a message that its types cannot hold."""
    missing = [name for name in WANTED if name not in record]
    if record.get("type") in MESSAGES and missing:
        raise Unsupported(f"a message without {missing[0]}: its types want it, and the official client writes it")
    return record


def records(data):
    return [whole(line.record) for line in lines(data) if line.record is not None]


def is_left_out(record):
    """Whether it leaves out a record by its type, so that nobody is told whether it read it."""
    kind = record.get("type")
    if not isinstance(kind, str) or kind in SILENT_SKIP_TYPES:
        return True
    wanted = [] if kind in MESSAGES else OTHERS.get(kind, ["uuid", "sessionId"])
    return not all(record.get(name) for name in wanted)


def loaded(data, load, path):
    """What it loads of a file. It prints what it cannot read, and goes on."""
    FILE.write_bytes(data)
    try:
        return load(path, silent=True)
    except Exception as error:  # noqa: BLE001: what it is, is told apart
        refused(error)


def parse(data):
    if any(is_left_out(record) for record in records(data)):
        raise Unsupported("a record of a type that it leaves out: whether it reads it, is not told")
    return parsed(data, found(data, loaded(data, load_transcript, FILE), is_same))


def is_same(entry, record):
    """Whether an entry is made of a record: both have the type, and the same of what tells entries apart."""
    names = ("type", "uuid", "parentUuid", "timestamp", "leafUuid", "operation")
    return all(getattr(entry, name, None) == record.get(name) for name in names)


def resume(data):
    """The conversation, where it tells of one line of messages alone: of branches it says of none that it goes on."""
    if any(record.get("type") == "hook_result" for record in records(data)):
        raise Unsupported("a record of the type hook_result: to its types it is of the chain, and not shown")
    entries, tree = loaded(data, load_directory_transcripts, FILE.parent)
    if any(entry.type == "system" and entry.subtype == "compact_boundary" for entry in entries):
        raise Unsupported("a file with a compaction: it shows what went before, too")
    told = [entry for entry in entries if isinstance(entry, SHOWN) and not entry.isSidechain]
    branches = {line.session_id for line in tree.sessions.values() if set(line.uuids) & {one.uuid for one in told}}
    if len(branches) > 1:
        raise Unsupported("branches or sessions: it shows each, and says of none that it is the one that goes on")
    if not any(isinstance(entry, (UserTranscriptEntry, AssistantTranscriptEntry)) for entry in told):
        return None
    made = by_uuid(data)
    return {"records": [{"uuid": entry.uuid, "record": line_of(entry, made)} for entry in told], "notes": []}


def line_of(entry, made):
    same = [line for line in made.get(entry.uuid, []) if is_same(entry, line.record)]
    if not same:
        raise Unsupported("an entry that stands on no line that is an object: of which bytes it is, is not told")
    return same[-1].data


serve_library("claude-code-log", parse=parse, resume=resume)
