"""A small client of the Messages API: it takes a prompt, runs calls, and keeps its turns in the home for the next one.

MISTAKE names what it does wrong: `thinking` is left out, `failures` of tools are not said, or it `dies` of a stop
sequence or of `halves` of surrogate pairs. With `refusals` it keeps nothing of a prompt that was refused, and with
`unthinking` it asks for no thinking; both are right.
"""

import http.client
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.request

MISTAKE = os.environ.get("MISTAKE", "")
KEPT = pathlib.Path.home() / "turns.json"
TEXT = {"type": "string"}


def tool(name, member):
    schema = {"type": "object", "properties": {member: TEXT}, "required": [member]}
    return {"name": name, "description": name, "input_schema": schema}


def once(turns):
    body = {
        "model": "claude-sonnet-4-5",
        "max_tokens": 4000,
        "thinking": {"type": "enabled", "budget_tokens": 2000},
        "tools": [tool("bash", "command"), tool("read", "path")],
        "messages": turns,
    }
    if MISTAKE == "unthinking":
        del body["thinking"]
    headers = {
        "content-type": "application/json",
        "x-api-key": os.environ["ANTHROPIC_API_KEY"],
        "anthropic-version": "2023-06-01",
    }
    url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read())


def ask(turns):
    for _ in range(6):
        try:
            return once(turns)
        except urllib.error.HTTPError as error:
            if error.code == 400:
                sys.exit(f"refused: {error.read().decode()}")
            time.sleep(float(error.headers.get("retry-after", 0)))
        except (OSError, ValueError, http.client.HTTPException):
            pass
    sys.exit("given up")


def run(call):
    given = call["input"]
    if call["name"] == "bash":
        done = subprocess.run(given.get("command", ""), shell=True, capture_output=True, text=True)
        return done.stdout or "nothing", done.returncode != 0
    return "there is no such thing", True


def result(call):
    content, failed = run(call)
    block = {"type": "tool_result", "tool_use_id": call["id"], "content": content}
    if failed and MISTAKE != "failures":
        block["is_error"] = True
    return block


def kept(blocks):
    """What of a reply is said again: all but blank texts, and thinking with nothing behind it."""
    said = [block for block in blocks if block["type"] != "text" or block["text"].strip()]
    if MISTAKE == "thinking":
        said = [block for block in said if block["type"] not in ("thinking", "redacted_thinking")]
    while said and said[-1]["type"] in ("thinking", "redacted_thinking"):
        said.pop()
    return said


def add(turns, role, blocks):
    if turns and turns[-1]["role"] == role:
        turns[-1]["content"] += blocks
    elif blocks:
        turns.append({"role": role, "content": blocks})


turns = json.loads(KEPT.read_text()) if KEPT.exists() else []
add(turns, "user", [{"type": "text", "text": sys.argv[1]}])
for _ in range(20):
    reply = ask(turns)
    if reply["stop_reason"] == "stop_sequence" and MISTAKE == "dies":
        sys.exit("dead")
    if MISTAKE == "halves" and any("\ud83d" in block.get("text", "") for block in reply["content"]):
        sys.exit("dead")
    if MISTAKE == "refusals" and reply["stop_reason"] == "refusal":
        sys.exit("refused")
    add(turns, "assistant", kept(reply["content"]))
    calls = [block for block in reply["content"] if block["type"] == "tool_use"]
    if not calls:
        break
    add(turns, "user", [result(call) for call in calls])
KEPT.write_text(json.dumps(turns))
