#!/usr/bin/env python3
"""Prints the README's performance table from the last run of `cargo bench --bench read`.

Speeds are those of the fastest of the samples, which other work on the machine disturbs least, in MB
(1,000,000 bytes) a second; the ratio is to `serde_json::Value` of the same run.
"""

import json
import pathlib

CRITERION = pathlib.Path(__file__).parent.parent / "target" / "criterion"
NAMES = {
    "typed": "turnproof, typed reading",
    "check-1": "turnproof `check`, 1 thread",
    "check-2": "turnproof `check`, 2 threads",
    "serde_json-value": "serde_json, `Value` a line",
    "serde_json-ignored": "serde_json, `IgnoredAny` a line",
    "sonic-rs-value": "sonic-rs, `Value` a line",
    "simd-json-value": "simd-json, borrowed value a line",
}
INPUTS = [name for name in ("generated", "real") if (CRITERION / f"read-{name}").is_dir()]


def speed(group, name):
    """Bytes a second."""
    run = CRITERION / f"read-{group}" / name / "new"
    sample = json.loads((run / "sample.json").read_text())
    fastest = min(time / times for time, times in zip(sample["times"], sample["iters"]))
    size = json.loads((run / "benchmark.json").read_text())["throughput"]["Bytes"]
    return size / (fastest / 1e9)


print("| reader |" + "".join(f" {name}, MB/s | ratio |" for name in INPUTS))
print("|---|" + "--:|--:|" * len(INPUTS))
for name, title in NAMES.items():
    cells = [(speed(group, name), speed(group, "serde_json-value")) for group in INPUTS]
    print(f"| {title} |" + "".join(f" {own / 1e6:.0f} | {own / value:.2f} |" for own, value in cells))
