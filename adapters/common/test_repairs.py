"""What the tools that repair transcripts make of files that were damaged by hand.

`python3 adapters/common/test_repairs.py` runs it. Each tool runs in the environment that its launcher makes. Where that
cannot be made, its tests are skipped, and say so.
"""

import json
import os
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ADAPTERS = Path(__file__).resolve().parent.parent
ENVIRONMENTS = Path(os.environ.get("TURNPROOF_ADAPTERS", ADAPTERS.parent / "target" / "adapters"))
NOT_HERE = 69

TOOLS = ("claude-code-tools", "claude-rescue", "claude-repair")
SESSION = "5e550000-0000-4000-8000-000000000001"


def uuid(number):
    return f"00000000-0000-4000-8000-{number:012}"


def line(number, parent, role, content):
    message = {"role": role, "content": content}
    if role == "assistant":
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": f"msg_{number}", "type": "message", "model": "m", **message, "usage": usage}
    return {
        "parentUuid": uuid(parent) if parent else None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/project",
        "sessionId": SESSION,
        "version": "2.0.0",
        "type": role,
        "message": message,
        "uuid": uuid(number),
        "timestamp": f"2025-01-01T00:00:{number:02}.000Z",
    }


PROMPT = line(1, None, "user", "look")
CALL = line(2, 1, "assistant", [{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}])
RESULT = line(3, 2, "user", [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "a"}])
REPLY = line(4, 3, "assistant", [{"type": "text", "text": "one file"}])
NEXT = line(5, 4, "user", "go on")
LAST = line(6, 5, "assistant", [{"type": "text", "text": "done"}])
SOUND = [PROMPT, CALL, RESULT, REPLY, NEXT, LAST]


def file(*lines):
    return b"".join(json.dumps(one).encode() + b"\n" for one in lines)


#: Each damage, as bytes. No parent of what is left is missing in `missing-result` and `lost-call`.
DAMAGES = {
    "sound": file(*SOUND),
    "torn": file(*SOUND)[:-100],
    "dangling": file(PROMPT, CALL, RESULT, REPLY, {**NEXT, "parentUuid": uuid(99)}, LAST),
    "two-roots": file(PROMPT, CALL, RESULT, REPLY, {**NEXT, "parentUuid": None}, LAST),
    "missing-result": file(PROMPT, CALL, {**NEXT, "parentUuid": uuid(2)}, LAST),
    "lost-call": file(PROMPT, {**RESULT, "parentUuid": uuid(1)}, REPLY, NEXT, LAST),
    "no-utf8": file(PROMPT, CALL, RESULT, REPLY, {**NEXT, "parentUuid": None}, LAST).replace(b"one file", b"one \xff"),
}


class Repaired:
    """What came of a repair: the file, the uuids of what was removed, or why it was refused."""

    def __init__(self, tool, damage):
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "in.jsonl"), Path(folder, "out.jsonl")
            source.write_bytes(DAMAGES[damage])
            ended = asked(tool, source, target)
            self.data = target.read_bytes() if target.exists() else None
        self.refusal = ended.stderr.strip().split(":")[0] if ended.returncode == 1 else None
        if ended.returncode not in (0, 1):
            raise AssertionError(ended.stderr)
        ranges = json.loads(ended.stdout)["removed"] if self.refusal is None else []
        self.removed = [DAMAGES[damage][one["start"] : one["end"]] for one in ranges]
        self.is_same = self.data == DAMAGES[damage]

    def parents(self):
        """The number of each message, with that of its parent."""
        lines = [json.loads(one) for one in self.data.splitlines()]
        number = lambda text: int(text[-12:]) if text else None  # noqa: E731
        return {number(one["uuid"]): number(one["parentUuid"]) for one in lines}


def asked(tool, source, target):
    python = ENVIRONMENTS / tool / "bin" / "python"
    paths = os.pathsep.join(str(ADAPTERS / folder) for folder in ("kit/python", "common"))
    command = [python, ADAPTERS / tool / "repair.py", source, target]
    variables = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, env=variables, capture_output=True, text=True)


def install(tool):
    command = [ADAPTERS / tool / "run", "--install"]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)


#: How the launcher of each tool ended.
LAUNCHED = {}


def setUpModule():
    # Mostly it is waited for packages, and so all are fetched at the same time.
    with ThreadPoolExecutor() as pool:
        LAUNCHED.update(zip(TOOLS, pool.map(install, TOOLS)))


def installed(tool):
    ended = LAUNCHED[tool]
    if ended.returncode == NOT_HERE:
        raise unittest.SkipTest(ended.stderr.strip())
    ended.check_returncode()


class OfEachTool(unittest.TestCase):
    def test_a_sound_file_stays_as_it_is(self):
        for tool in TOOLS:
            with self.subTest(tool):
                installed(tool)
                made = Repaired(tool, "sound")
                self.assertTrue(made.is_same)
                self.assertEqual([], made.removed)


class FixSession(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        installed("claude-code-tools")

    def test_a_message_whose_parent_is_lost_hangs_on_the_message_before_it(self):
        made = Repaired("claude-code-tools", "dangling")
        self.assertEqual({1: None, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5}, made.parents())
        self.assertEqual([], made.removed)

    def test_a_file_with_a_torn_line_is_refused(self):
        self.assertEqual("JSONDecodeError", Repaired("claude-code-tools", "torn").refusal)

    def test_calls_and_results_are_not_looked_at(self):
        for damage in ("missing-result", "lost-call"):
            with self.subTest(damage):
                self.assertTrue(Repaired("claude-code-tools", damage).is_same)


class Rescue(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        installed("claude-rescue")

    def test_of_two_chains_the_one_that_ends_last_is_kept_and_the_other_is_removed(self):
        made = Repaired("claude-rescue", "two-roots")
        self.assertEqual({5: None, 6: 5}, made.parents())
        self.assertEqual(4, len(made.removed))

    def test_a_chain_whose_parent_is_lost_counts_as_none_and_nothing_is_done(self):
        self.assertTrue(Repaired("claude-rescue", "dangling").is_same)

    def test_of_one_chain_a_torn_line_stays_and_so_do_calls_without_results(self):
        for damage in ("torn", "missing-result", "lost-call"):
            with self.subTest(damage):
                self.assertTrue(Repaired("claude-rescue", damage).is_same)


    def test_a_byte_that_is_not_utf_8_is_an_error(self):
        self.assertEqual("Error", Repaired("claude-rescue", "no-utf8").refusal)


class Repair(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        installed("claude-repair")

    def test_a_call_without_result_ends_in_an_error(self):
        self.assertEqual("TypeError", Repaired("claude-repair", "missing-result").refusal)

    def test_a_result_without_call_is_removed_and_what_hung_on_it_hangs_on_nothing(self):
        made = Repaired("claude-repair", "lost-call")
        self.assertEqual({1: None, 4: 3, 5: 4, 6: 5}, made.parents())
        self.assertEqual([uuid(3)], [json.loads(one)["uuid"] for one in made.removed])

    def test_links_and_torn_lines_are_not_looked_at(self):
        for damage in ("torn", "dangling", "two-roots"):
            with self.subTest(damage):
                self.assertTrue(Repaired("claude-repair", damage).is_same)


if __name__ == "__main__":
    unittest.main()
