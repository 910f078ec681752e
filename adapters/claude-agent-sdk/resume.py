"""Asks claude-agent-sdk which messages of a transcript come back.

One JSON object a line on standard input, {"path": "session.jsonl"} or {"jsonl": "text of a session"}; for each
one line on standard output, {"uuids": [...]} in the order of the conversation, or {"error": "TypeError", "message": "..."}.
With --probe it only says whether the package can be used.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys
import tempfile
import types
from pathlib import Path

SESSION = "00000000-0000-4000-8000-000000000000"


class Unneeded(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for packages that the SDK imports and the reading of transcripts does not use."""

    NAMES = ("anyio", "mcp", "jsonschema", "typing_extensions")

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in self.NAMES:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__getattr__ = lambda name: type(name, (), {})
        return module

    def exec_module(self, module):
        pass


def sessions():
    """The module that reads transcripts, without the rest of the package."""
    package = importlib.util.find_spec("claude_agent_sdk")
    if package is None:
        sys.exit("claude-agent-sdk is not installed: pip install --no-deps -r requirements.txt")
    # Found last, so that what is installed is used.
    sys.meta_path.append(Unneeded())
    for name, folder in (("claude_agent_sdk", ""), ("claude_agent_sdk._internal", "_internal")):
        module = types.ModuleType(name)
        module.__path__ = [str(Path(place) / folder) for place in package.submodule_search_locations]
        sys.modules[name] = module
    return importlib.import_module("claude_agent_sdk._internal.sessions")


def answer(reader, folder, case):
    """What the SDK gives for one case."""
    if "path" in case:
        data = Path(case["path"]).read_bytes()
    else:
        data = case["jsonl"].encode("utf-8", "surrogatepass")
    (folder / f"{SESSION}.jsonl").write_bytes(data)
    try:
        messages = reader.get_session_messages(SESSION)
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}
    return {"uuids": [message.uuid for message in messages]}


def main():
    reader = sessions()
    if "--probe" in sys.argv:
        return
    with tempfile.TemporaryDirectory() as home:
        os.environ["CLAUDE_CONFIG_DIR"] = home
        folder = Path(home) / "projects" / "project"
        folder.mkdir(parents=True)
        for line in sys.stdin:
            print(json.dumps(answer(reader, folder, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
