"""What a model *said* in a reply, on one line for people."""

from __future__ import annotations

import json
from typing import Any

from turnproof.mock import Request

_LONGEST = 200


def said(request: Request) -> str:
    """The blocks of the reply to a request and why it stops, or the answer in a few words."""
    reply = request.reply
    message = streamed(reply) if isinstance(reply, str) else reply
    if not isinstance(message, dict) or "content" not in message:
        return request.answer
    blocks = ", ".join(_block(block) for block in message["content"]) or "nothing"
    return f"{blocks}; {message.get('stop_reason')}"


def streamed(stream: str) -> dict[str, Any]:
    """The message of a stream of server-sent events: its blocks and why it stops. What does not come is not there."""
    blocks: list[dict[str, Any]] = []
    stop = None
    for line in stream.splitlines():
        if not line.startswith("data:"):
            continue
        try:
            event = json.loads(line[len("data:") :])
        except ValueError:
            continue
        delta = event.get("delta", {})
        if event.get("type") == "content_block_start":
            blocks.append(dict(event["content_block"]))
        elif event.get("type") == "content_block_delta" and blocks:
            for name in ("text", "thinking"):
                if name in delta:
                    blocks[-1][name] = blocks[-1].get(name, "") + delta[name]
            if "partial_json" in delta:
                blocks[-1]["written"] = blocks[-1].get("written", "") + delta["partial_json"]
        elif event.get("type") == "message_delta":
            stop = delta.get("stop_reason", stop)
    return {"content": blocks, "stop_reason": stop}


def _block(block: dict[str, Any]) -> str:
    kind = block.get("type")
    if kind in ("text", "thinking"):
        what = json.dumps(block.get(str(kind), ""), ensure_ascii=False)
    elif kind == "tool_use":
        what = f"{block.get('name')}({block.get('written') or json.dumps(block.get('input'))})"
    else:
        what = ""
    text = f"{kind} {what}".strip()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
