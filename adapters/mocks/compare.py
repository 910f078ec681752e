"""Puts public mocks of the Messages API beside `turnproof mock`: compare.py FOLDER PROGRAM [--seconds N]

FOLDER holds what adapters/mocks/run installs. Prints two tables in Markdown: what each refuses, and how fast it is.
"""

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ILLEGAL = Path(__file__).parents[2] / "crates/turnproof-mock/tests/mock/illegal.jsonl"
HEADERS = {"x-api-key": "k", "anthropic-version": "2023-06-01", "content-type": "application/json"}
REPLY = "A short reply."


def servers(folder: Path, program: str) -> dict[str, tuple[list[str], str]]:
    """Each mock by its name: how it is started at a port `{port}`, and where its Messages API is."""
    python = folder / "python/bin"
    (folder / "fixtures").mkdir(exist_ok=True)
    every = {"fixtures": [{"match": {}, "response": {"content": REPLY}}]}
    (folder / "fixtures/all.json").write_text(json.dumps(every))
    (folder / "aimock.json").write_text(json.dumps({"llm": {"fixtures": str(folder / "fixtures")}}))
    (folder / "fakellm.yaml").write_text("version: 1\ndefaults:\n  fallback: deterministic_echo\nrules: []\n")
    (folder / "stub.yaml").write_text(f"fixtures:\n  - name: all\n    match: {{}}\n    response:\n      content: {REPLY}\n")
    aimock = str(folder / "node_modules/.bin/aimock")
    stub = ["--fixture-file", str(folder / "stub.yaml"), "--log-level", "warning"]
    return {
        "turnproof mock": ([program, "mock", "--format", "json", "--listen", "127.0.0.1:{port}"], "/v1/messages"),
        "aimock 1.43.0": ([aimock, "-c", str(folder / "aimock.json"), "-p", "{port}"], "/v1/messages"),
        "llmock 0.2.2": ([str(python / "llmock"), "serve", "-p", "{port}", "--log-level", "warning"], "/anthropic/v1/messages"),
        "fakellm 0.3.5": (
            [str(python / "fakellm"), "serve", "--port", "{port}", "--config", str(folder / "fakellm.yaml")],
            "/v1/messages",
        ),
        "stubllm 0.1.5": ([str(python / "stubllm"), "serve", "--port", "{port}", *stub], "/v1/messages"),
    }


@contextlib.contextmanager
def running(command: list[str], path: str):
    """The address of a mock that runs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [word.format(port=port) for word in command]
    # Whatever it prints about each request is part of what it does, and is thrown away.
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    address = f"http://127.0.0.1:{port}{path}"
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        status(address, body(False, 2))
        yield address
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(10)


def body(streams: bool, length: int) -> str:
    """A legal body with a prompt of about so many bytes."""
    turn = {"role": "user", "content": "a" * length}
    return json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 100, "stream": streams, "messages": [turn]})


def status(address: str, text: str) -> int:
    request = urllib.request.Request(address, text.encode("utf-8", "surrogatepass"), HEADERS)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            answer.read()
            return answer.status
    except urllib.error.HTTPError as error:
        error.read()
        return error.code


def rate(folder: Path, address: str, text: str, connections: int, seconds: int) -> float:
    """Answers a second, of those that are no error."""
    file = folder / "body.json"
    file.write_text(text)
    words = [str(folder / "load"), address, str(file), str(connections), str(seconds)]
    return float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


CASES = [(size, streams, count) for size in (100, 100_000) for streams in (False, True) for count in (1, 32)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("program")
    options.add_argument("--seconds", type=int, default=4)
    arguments = options.parse_args()
    folder = arguments.folder.resolve()
    illegal = [json.loads(line) for line in ILLEGAL.read_text().splitlines()]
    refused, rates = {}, {}
    for name, (command, path) in servers(folder, arguments.program).items():
        with running(command, path) as address:
            refused[name] = [one["name"] for one in illegal if status(address, one["body"]) == 400]
            rates[name] = [
                rate(folder, address, body(streams, size), connections, arguments.seconds)
                for size, streams, connections in CASES
            ]
        print(f"{name}: done", file=sys.stderr)
    titles = [f"{'100 KB' if size > 1000 else 'small'}{', stream' if streams else ''}, {n}" for size, streams, n in CASES]
    print("| mock | illegal bodies refused |\n|---|--:|")
    for name, names in refused.items():
        print(f"| {name} | {len(names)} of {len(illegal)} |")
    print(f"\n| requests a second | {' | '.join(titles)} |\n|---|{'--:|' * len(CASES)}")
    for name, row in rates.items():
        print(f"| {name} | {' | '.join(f'{one:,.0f}' for one in row)} |")
    ours, others = rates.pop("turnproof mock"), list(rates.values())
    ratios = [mine / max(column) for mine, column in zip(ours, zip(*others))]
    print(f"| ours to the fastest other | {' | '.join(f'{one:.1f}' for one in ratios)} |")


if __name__ == "__main__":
    main()
