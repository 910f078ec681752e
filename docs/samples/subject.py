"""A subject: answers the questions of turnproof, one line each. Put your own pipeline in the place of `request`."""
import json
import sys


def request(messages, options):
    """A pipeline as one writes it first: what user and assistant said, in order, neighbours of one role joined."""
    turns = []
    for message in messages:
        if message["type"] not in ("user", "assistant"):
            continue
        content = message["message"]["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if turns and turns[-1]["role"] == message["type"]:
            turns[-1]["content"].extend(blocks)
        else:
            turns.append({"role": message["type"], "content": list(blocks)})
    return turns


def answer(command):
    if command["operation"] != "normalize_api":
        return {"unsupported": "only normalize_api"}
    try:
        asked = command["input"]
        return {"output": {"messages": request(asked["messages"], asked.get("options", {}))}}
    except (KeyError, TypeError) as error:
        return {"rejected": {"message": str(error), "kind": type(error).__name__}}


for line in sys.stdin:
    command = json.loads(line)
    if command["cmd"] == "start":
        said = {"name": "my-pipeline", "version": "1.0", "language": "python", "operations": ["normalize_api"]}
    elif command["cmd"] == "run":
        said = {"seq": command["seq"], **answer(command)}
    else:
        break
    print(json.dumps(said), flush=True)
