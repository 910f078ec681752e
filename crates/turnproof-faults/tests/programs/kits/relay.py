"""Asks another subject, whose command is its arguments, through the functions of the kit: all but the kit is right."""

import base64
import json
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[5] / "adapters/kit/python"))

from turnproof_subject import Rejected, Unsupported, serve  # noqa: E402

other = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
encoded = lambda data: base64.b64encode(data).decode()  # noqa: E731


def ask(operation, **question):
    line = json.dumps({"cmd": "run", "seq": 1, "operation": operation, "input": question})
    other.stdin.write(line.encode() + b"\n")
    other.stdin.flush()
    answer = json.loads(other.stdout.readline())
    if "rejected" in answer:
        raise Rejected(answer["rejected"]["message"])
    if "unsupported" in answer:
        raise Unsupported(answer["unsupported"])
    return answer["output"]


def to_bytes(value, *names):
    """What is base64 under these names, as bytes, at any depth above messages."""
    for name in names:
        if isinstance(value, dict) and name + "_b64" in value:
            value[name] = base64.b64decode(value.pop(name + "_b64"))
    return value


def on_the_wire(one, name):
    return {name + "_b64": encoded(one[name])} if isinstance(one, dict) and name in one else one


def parse(data):
    parsed = ask("parse", jsonl_b64=encoded(data))
    return {**parsed, "records": [to_bytes(record, "written") for record in parsed["records"]]}


def record(data, session, steps):
    steps = [on_the_wire(step, "other_writer") for step in steps]
    answers = ask("record", jsonl_b64=encoded(data), session=session, steps=steps)["answers"]
    return [to_bytes(answer, "jsonl") for answer in answers]


def resume(data):
    found = ask("resume", jsonl_b64=encoded(data))["conversation"]
    return found and {**found, "records": [to_bytes(record, "record") for record in found["records"]]}


def play(inputs):
    played = to_bytes(ask("play", inputs=inputs), "transcript")
    for moment in played["moments"]:
        for name in ("requested", "crashed"):
            to_bytes(moment.get(name), "transcript")
    return played


def repair(data):
    repaired = to_bytes(ask("repair", jsonl_b64=encoded(data)), "jsonl")
    for change in repaired["changes"]:
        to_bytes(to_bytes(change, "before"), "after")
    for piece in repaired["removed"]:
        to_bytes(piece, "removed")
    return repaired


def of_messages(operation):
    return lambda messages: ask(operation, messages=messages)["messages"]


serve(
    name="relay",
    parse=parse,
    normalize_api=lambda messages, options: ask("normalize_api", messages=messages, options=options),
    normalize_api_incremental=lambda messages, options: ask(
        "normalize_api_incremental", messages=messages, options=options
    )["requests"],
    normalize_ui=of_messages("normalize_ui"),
    reorder_ui=of_messages("reorder_ui"),
    derive_uuid=lambda parent, index: ask("derive_uuid", parent=parent, index=index)["uuid"],
    short_id=lambda uuid: ask("short_id", uuid=uuid)["short_id"],
    record=record,
    resume=resume,
    accumulate=lambda items: ask("accumulate", items=[on_the_wire(item, "bytes") for item in items]),
    play=play,
    check_request=lambda request, host: ask("check_request", request=request, host=host)["errors"],
    check_response=lambda response: ask("check_response", response=response)["errors"],
    make=lambda factory, arguments, given: ask("make", factory=factory, arguments=arguments, **given)["messages"],
    usage=lambda files: ask("usage", files=[{"jsonl_b64": encoded(file)} for file in files])["rows"],
    repair=repair,
    fold=lambda messages, folding: ask("fold", messages=messages, folding=folding)["messages"],
    unfold=of_messages("unfold"),
    bridge=of_messages("bridge"),
)
