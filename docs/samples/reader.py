"""A reader of transcripts as one writes it first, on the kit: it splits at line ends, and keeps what `json` reads."""

import json

from turnproof_subject import serve


def parse(data):
    records, blank, rejected, at = [], [], [], 0
    for line in data.splitlines(keepends=True):
        end = at + len(line)
        try:
            value = json.loads(line)
            written = json.dumps(value, ensure_ascii=False).encode()
            record = {"start": at, "end": end - 1, "type": value.get("type"), "uuid": value.get("uuid")}
            records.append({**record, "written": written})
            blank.append([end - 1, end])
        except ValueError:
            rejected.append({"start": at, "end": end, "reason": "not-json"})
        at = end
    return {"records": records, "blank": blank, "rejected": rejected}


serve(name="tiny-reader", parse=parse)
