"""Fuzzes readers with one small mistake each, and writes the table of docs/fuzz-any-program.md.

`python3 adapters/planted/run.py [--write] [LANGUAGE…]` runs each for two minutes at most, until its first find.
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = "adapters/planted"
FAULTS = """decodes-each-piece-alone takes-a-piece-for-whole-events ends-lines-at-line-feeds-alone
takes-the-last-data-line wants-a-space-after-the-colon reads-the-byte-order-mark reads-comments passes-over-indexes
decodes-each-delta-alone reads-numbers-as-doubles forgets-the-text-of-the-start swallows-errors
takes-what-is-unfinished"""


class Reader:
    """A program that reads without a mistake, and with the one whose name follows."""

    def __init__(self, what, operation, right, wrong, listed):
        self.what, self.operation, self.right, self.wrong, self.listed = what, operation, right, wrong, listed

    def mistakes(self):
        said = subprocess.run(self.listed, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout.splitlines()
        if self.operation == "parse":
            return json.loads(said[0])
        return {one["fault"]: one["title"] for one in map(json.loads, said)}


def script(language, *words):
    program = " ".join(words)
    return Reader(f"{language}, transcripts", "parse", program, program, [*words, "--list"])


PROGRAMS = {
    "Python": script("Python", "env", "PYTHONPATH=adapters/kit/python", "python3", f"{HERE}/reader.py"),
    "Node": script("Node", "node", f"{HERE}/reader.mjs"),
    "Rust": Reader(
        "Rust, streams",
        "accumulate",
        "target/debug/misbehaving reference",
        "target/debug/misbehaving fault",
        ["target/debug/turnproof-faults", "--list", "--format", "json", *(f"accumulate/{name}" for name in FAULTS.split())],
    ),
}
LIMIT = 120
PAGE = ROOT / "docs/fuzz-any-program.md"
BEGIN, END = "<!-- planted: begin -->\n", "<!-- planted: end -->\n"


def command(program, operation, folder, *more):
    words = ["target/debug/turnproof", "fuzz", "--subject", program, "--operation", operation, "--out", folder]
    return [*words, "--format", "json", *more]


def first_find(program, operation):
    """What is found first, and after how many seconds; `None` when nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        call = command(program, operation, folder, "--time", f"{LIMIT}s")
        fuzz = subprocess.Popen(call, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in fuzz.stdout:
            find = json.loads(line)
            if find["event"] == "found":
                took = time.monotonic() - began
                find["smallest"] = pathlib.Path(ROOT, find["path"]).read_bytes()
                fuzz.send_signal(signal.SIGINT)
                fuzz.communicate()
                return find, took
    return None


def shown(data):
    """Bytes as they are, in a cell of a table; the middle of a long input left out."""
    marks = {"\ufeff": "<U+FEFF>", "\u2028": "<U+2028>", "\u2029": "<U+2029>", "\xa0": "<U+00A0>", "\x85": "<U+0085>"}
    text = "".join(
        f"<0x{ord(one) - 0xDC00:02X}>" if "\udc80" <= one <= "\udcff"
        else marks.get(one) or (chr(0x2400 + ord(one)) if one < " " else one)
        for one in data.decode("utf-8", "surrogateescape")
    )
    text = text if len(text) <= 48 else f"{text[:24]}…{text[-16:]}"
    return "`" + text.replace("|", "\\|") + "`"


def is_sound(name, reader):
    """Without a mistake nothing is found."""
    with tempfile.TemporaryDirectory() as folder:
        call = command(reader.right, reader.operation, folder, "--inputs", "10000")
        done = subprocess.run(call, cwd=ROOT, stdout=subprocess.PIPE)
    summary = json.loads(done.stdout.splitlines()[-1])
    assert done.returncode == 0, f"{name}: {summary}"
    inputs = summary["operations"][reader.operation]["inputs"]
    print(f"{name}: nothing in {inputs} inputs without a mistake", flush=True)


def main(arguments):
    rows = []
    for language in [name for name in arguments if name in PROGRAMS] or list(PROGRAMS):
        reader = PROGRAMS[language]
        is_sound(language, reader)
        for name, what in reader.mistakes().items():
            came = first_find(f"{reader.wrong} {name}", reader.operation)
            cells = [reader.what, what.replace("|", "\\|"), f"none in {LIMIT} s", "", "", ""]
            if came is not None:
                find, took = came
                rule = find["rule"] or "crash"
                cells[2:] = [f"{took:.1f}", str(find["number"] + 1), f"`{rule}`", shown(find["smallest"])]
            rows.append("| " + " | ".join(cells) + " |")
            print(rows[-1], flush=True)
    head = "| reader | its mistake | seconds | inputs | found by | smallest input |\n|---|---|---|---|---|---|\n"
    if "--write" in arguments:
        before, rest = PAGE.read_text().split(BEGIN)
        after = rest.split(END)[1]
        PAGE.write_text(before + BEGIN + head + "".join(row + "\n" for row in rows) + END + after)


main(sys.argv[1:])
