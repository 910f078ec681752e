"""Answers each operation on the kit with something that shows what it was given, and misbehaves where it is told to."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[5] / "adapters/kit/python"))

from turnproof_subject import Rejected, Unsupported, history, serve  # noqa: E402


def short_id(uuid):
    if uuid == "refuse":
        raise Rejected("this is no UUID", "BadId")
    if uuid == "refuse with an error":
        raise Rejected(ValueError("odd"))
    if uuid == "not done":
        raise Unsupported("not today")
    if uuid == "crash":
        raise LookupError("there is no such thing")
    if uuid == "exit":
        sys.exit(1)
    if uuid == "print":
        print("printed" + sys.stdin.read())
        os.write(1, b"written\n")
        subprocess.run(["echo", "by a child"], check=True)
    return uuid[:6]


async def normalize_ui(messages):
    await asyncio.sleep(0)
    return messages


def parse(data):
    return {"records": [{"start": 0, "end": len(data), "written": data}], "blank": [(1, 2)], "rejected": []}


def record(data, session, steps):
    answers = []
    for step in steps:
        if isinstance(step, dict) and "other_writer" in step:
            data += step["other_writer"]
            answers.append({"error": session, "jsonl": data})
        else:
            answers.append({"tip": step if isinstance(step, str) else next(iter(step)), "jsonl": data})
    return answers


def resume(data):
    return {"records": [{"uuid": "u1", "record": data}], "notes": ["a note"]} if data else None


def accumulate(items):
    shown = [item if isinstance(item, str) else item.get("event") or list(item["bytes"]) for item in items]
    return {"events": shown, "live": []}


def play(inputs):
    requested = {"messages": [], "turns": inputs, "transcript": b"\xfe"}
    moments = [{"requested": requested}, {"crashed": {"transcript": b"\xfd"}}, {"joined": {"input": 1, "uuid": "u1"}}]
    return {"moments": moments, "transcript": b"\xff", "whole": True}


def usage(files):
    row = {"session": None, "model": None, "sidechain": False, "replies": len(files), "unknown": sum(map(len, files))}
    tokens = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return [{**row, **dict.fromkeys(tokens, 0)}]


def repair(data):
    if not data:
        return data
    change = {"line": 1, "rule": "wire/no-nul", "before": data, "after": b""}
    return {"jsonl": data, "changes": [change], "removed": [{"line": 2, "removed": b"\xff"}]}


serve(
    name="echo",
    version="1.0",
    lone_surrogates="strict" not in sys.argv,
    parse=parse,
    normalize_api=lambda messages, options: {"messages": history(messages), "messages_after": messages},
    normalize_api_incremental=lambda messages, options: [[options] for _ in messages],
    normalize_ui=normalize_ui,
    reorder_ui=lambda messages: messages[::-1],
    derive_uuid=lambda parent, index: f"{parent}-{index}",
    short_id=short_id,
    record=record,
    resume=resume,
    accumulate=accumulate,
    play=play,
    check_request=lambda request, host: [host, {"turn": 1, "error": "worse"}],
    check_response=lambda response: [response, {"event": 1, "error": "worse"}],
    make=lambda factory, arguments, given: {"message": [factory, arguments, given], "predicates": {"is_meta": True}},
    usage=usage,
    repair=repair,
    fold=lambda messages, folding: [*messages, folding],
    unfold=lambda messages: messages,
    bridge=lambda messages: messages,
)
