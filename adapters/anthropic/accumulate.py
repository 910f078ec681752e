"""Answers cases of stream events with what the package `anthropic` makes of them.

One JSON object a line in: {"events": [...], "beta": false}. One out: {"message": {...}} or {"error": "..."}.
"""

import json
import sys
from typing import Any

from anthropic.lib.streaming import _beta_messages, _messages


def accumulate(events: list[Any], beta: bool) -> dict[str, Any]:
    snapshot: Any = None
    buffers: dict[int, bytes] = {}
    for event in events:
        # The package's client drops pings and raises errors before it accumulates.
        if event.get("type") == "ping":
            continue
        if event.get("type") == "error":
            raise RuntimeError(f"error event: {event}")
        if beta:
            snapshot = _beta_messages.accumulate_event(
                event=event, current_snapshot=snapshot, json_bufs=buffers, request_headers=None
            )
        else:
            snapshot = _messages.accumulate_event(event=event, current_snapshot=snapshot, json_bufs=buffers)
    return snapshot.to_dict(mode="json", warnings=False) if snapshot is not None else None


def answer(line: str) -> dict[str, Any]:
    case = json.loads(line)
    try:
        return {"message": accumulate(case["events"], case.get("beta", False))}
    except Exception as error:  # whatever the package raises is its answer
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(answer(line)))


if __name__ == "__main__":
    main()
