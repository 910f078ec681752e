"""A reader of transcripts in Python, by SPEC.md 3.5. `reader.py MISTAKE` has one small mistake."""

import json
import re
import sys

from turnproof_subject import serve

WRONG = sys.argv[1] if len(sys.argv) > 1 else ""

MISTAKES = {
    "splitlines": "splits lines as `str.splitlines` does, also at U+2028, U+2029 and U+0085",
    "strip": "takes for blank what `bytes.strip` does, also vertical tabs and form feeds",
    "bom-first": "drops a byte order mark at the beginning of the file alone",
    "characters": "counts characters where bytes are asked for",
    "strict-utf-8": "decodes each line, and rejects one that is no UTF-8",
    "ignore": "decodes with `errors=\"ignore\"`, so what is written back lacks bytes",
    "floats": "writes records back with `json.dumps`, numbers as floats",
    "nan": "takes NaN and Infinity, as `json.loads` does",
    "strict-false": "takes control characters in strings, as `json.loads(strict=False)` does",
    "recursion": "has no limit of nesting but Python's",
    "first-key": "lets the first of repeated keys win",
    "raw-decode": "reads one record of a line, and rejects what is behind it",
    "get": "calls `.get` on whatever the line is",
    "dedupe": "drops a record whose uuid it has seen",
}

CONTROL = rb"\x00" if WRONG == "strict-false" else rb"\x00-\x1f"
STRING = re.compile(rb'"(?:[^"\\' + CONTROL + rb']|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
WORD = re.compile(rb"true|false|null|NaN|-?Infinity" if WRONG == "nan" else rb"true|false|null")
SPACE = re.compile(rb"[ \t\r]*")
BLANK = re.compile(rb"(?:[ \t\r\v\f]|\xef\xbb\xbf)*" if WRONG == "strip" else rb"(?:[ \t\r]|\xef\xbb\xbf)*")
LINE_END = re.compile(rb"\n|\xe2\x80[\xa8\xa9]|\xc2\x85" if WRONG == "splitlines" else rb"\n")
DEEPEST = sys.maxsize if WRONG == "recursion" else 128
ID_KEYS = ("parentUuid", "sessionId", "leafUuid", "messageId")


class NotJson(Exception):
    pass


def value(data, at, depth=0, members=None):
    """The end of the JSON value that begins here; the members of an object, as they are written."""
    opening = data[at : at + 1]
    if opening not in (b"{", b"["):
        found = STRING.match(data, at) or WORD.match(data, at) or NUMBER.match(data, at)
        if not found:
            raise NotJson
        return found.end()
    if depth == DEEPEST:
        raise NotJson
    closing = b"}" if opening == b"{" else b"]"
    at = SPACE.match(data, at + 1).end()
    if data[at : at + 1] == closing:
        return at + 1
    while True:
        if opening == b"{":
            key = STRING.match(data, at)
            at = SPACE.match(data, key.end()).end() if key else at
            if not key or data[at : at + 1] != b":":
                raise NotJson
            at = SPACE.match(data, at + 1).end()
        end = value(data, at, depth + 1)
        if members is not None and not (WRONG == "first-key" and text(key[0]) in members):
            members[text(key[0])] = data[at:end]
        at = SPACE.match(data, end).end()
        after = data[at : at + 1]
        if after == closing:
            return at + 1
        if after != b",":
            raise NotJson
        at = SPACE.match(data, at + 1).end()


def text(token):
    """A string of JSON; `None` for any other value."""
    if not token or not token.startswith(b'"'):
        return None
    decoded = json.loads(token.decode("utf-8", "replace"), strict=False)
    return decoded.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def record(data, at):
    """The end and the members of the object that begins here; `None` where none does."""
    members = {}
    if data[at : at + 1] != b"{":
        return None
    try:
        return value(data, at, 0, members), members
    except NotJson:
        return None


def next_recoverable(data, at):
    for found in re.finditer(rb'\{"[A-Za-z_]', data[at:]):
        whole = record(data, at + found.start())
        if whole and text(whole[1].get("type")) is not None and any(key in whole[1] for key in ID_KEYS):
            if data[BLANK.match(data, whole[0]).end() :][:1] not in (b",", b"]", b"}"):
                return at + found.start()
    return None


class Reading:
    def __init__(self):
        self.records, self.blank, self.rejected, self.seen = [], [], [], set()

    def put(self, ranges, start, end):
        if start < end:
            ranges.append([start, end])

    def stretch(self, data, base):
        at = 0
        while at < len(data):
            blank = SPACE if WRONG == "bom-first" and base + at > 0 else BLANK
            end = blank.match(data, at).end()
            self.put(self.blank, base + at, base + end)
            at = end
            if at == len(data):
                return
            if WRONG == "get":
                self.look(data[at:])
            whole = record(data, at)
            if not whole or (WRONG == "raw-decode" and self.records and self.records[-1]["end"] > self.line_start):
                end = next_recoverable(data, at + 1) if WRONG != "raw-decode" or not whole else None
                if end is None:
                    end = len(data)
                    while end > at and any(blank.fullmatch(data, cut, end) for cut in (end - 1, end - 3) if cut >= at):
                        end -= 1 if blank.fullmatch(data, end - 1, end) else 3
                self.put(self.rejected, base + at, base + end)
            else:
                end, members = whole
                self.add(data[at:end], base + at, base + end, members)
            at = end

    def look(self, line):
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return
        found.get("type")

    def add(self, data, start, end, members):
        uuid = text(members.get("uuid"))
        if WRONG == "dedupe" and uuid is not None and uuid in self.seen:
            return self.put(self.blank, start, end)
        self.seen.add(uuid)
        written = data
        if WRONG == "ignore":
            written = data.decode("utf-8", "ignore").encode()
        if WRONG == "floats":
            written = json.dumps(json.loads(data.decode("utf-8", "replace")), separators=(",", ":")).encode()
        self.records.append(
            {"start": start, "end": end, "type": text(members.get("type")), "uuid": uuid, "written": written}
        )

    def line(self, data, base):
        self.line_start = base
        if WRONG == "strict-utf-8":
            try:
                data.decode("utf-8")
            except UnicodeDecodeError:
                return self.put(self.rejected, base, base + len(data))
        for part in re.finditer(rb"\x00+|[^\x00]+", data):
            if part[0].startswith(b"\0"):
                self.put(self.rejected, base + part.start(), base + part.end())
            else:
                self.stretch(part[0], base + part.start())


def parse(data):
    reading, at = Reading(), 0
    for line_end in LINE_END.finditer(data):
        reading.line(data[at : line_end.start()], at)
        reading.put(reading.blank, line_end.start(), line_end.end())
        at = line_end.end()
    reading.line(data[at:], at)

    def place(offset):
        return len(data[:offset].decode("utf-8", "replace")) if WRONG == "characters" else offset

    ranges = lambda ranges: [[place(start), place(end)] for start, end in ranges]
    return {
        "records": [{**one, "start": place(one["start"]), "end": place(one["end"])} for one in reading.records],
        "blank": ranges(reading.blank),
        "rejected": [{"start": start, "end": end} for start, end in ranges(reading.rejected)],
    }


if __name__ == "__main__":
    if WRONG == "--list":
        print(json.dumps(MISTAKES))
    else:
        serve(name="planted-python", parse=parse)
