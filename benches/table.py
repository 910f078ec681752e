#!/usr/bin/env python3
"""Prints a table of docs/performance.md from the last run of its benchmark.

`python3 benches/table.py` after `cargo bench --bench read`: speeds are those of the fastest of the
samples, which other work on the machine disturbs least, in MB (1,000,000 bytes) a second; the ratio is
to `serde_json::Value` of the same run.

`python3 benches/table.py normalize` after `cargo bench --bench normalize`: nanoseconds a message, of the
fastest of the samples.

`python3 benches/table.py suite` after `cargo bench --bench suite`: microseconds a case, of the fastest of the samples.
"""

import json
import pathlib
import sys

CRITERION = pathlib.Path(__file__).parent.parent / "target" / "criterion"
READERS = {
    "typed": "turnproof, typed reading",
    "check-1": "turnproof `check`, 1 thread",
    "check-2": "turnproof `check`, 2 threads",
    "serde_json-value": "serde_json, `Value` a line",
    "serde_json-ignored": "serde_json, `IgnoredAny` a line",
    "sonic-rs-value": "sonic-rs, `Value` a line",
    "simd-json-value": "simd-json, borrowed value a line",
}
DOCUMENTS = {
    "event": "`Event::read`",
    "serde_json-value": "serde_json, `Value`",
    "sonic-rs-value": "sonic-rs, `Value`",
}
STEPS = {
    "api": "a request (`normalize_for_api`)",
    "append": "one message more, and the request (`Incremental`)",
    "ui": "one message a block (`normalize_for_ui`)",
    "reorder": "the order of a UI (`reorder_for_ui`)",
    "typed": "reading the messages from JSON, typed (`Event::read`)",
    "read": "reading them through serde_json, typed",
    "serde_json-value": "reading them with serde_json, `Value`",
    "sonic-rs-value": "reading them with sonic-rs, `Value`",
}


CASES = {
    "generate": "the plan",
    "generate-and-play": "the plan, played",
    "observe": "played, and the reference asked about it",
    "judge": "played, the reference asked, and judged by all rules",
    "judge-small": "the same, without what is large",
    "serde_json-value": "reading the transcript with serde_json, `Value` a line",
}


def fastest(folder):
    """Nanoseconds of the fastest sample, and the benchmark's throughput."""
    sample = json.loads((folder / "sample.json").read_text())
    time = min(time / times for time, times in zip(sample["times"], sample["iters"]))
    return time, json.loads((folder / "benchmark.json").read_text())["throughput"]


def speeds(kind, titles):
    """A table of the readers of one kind of group, such as `read`, of all inputs that were measured."""
    inputs = [name for name in ("generated", "real") if (CRITERION / f"{kind}-{name}").is_dir()]

    def speed(group, name):
        time, throughput = fastest(CRITERION / f"{kind}-{group}" / name / "new")
        return throughput["Bytes"] / (time / 1e9)

    print("| reader |" + "".join(f" {name}, MB/s | ratio |" for name in inputs))
    print("|---|" + "--:|--:|" * len(inputs))
    for name, title in titles.items():
        cells = [(speed(group, name), speed(group, "serde_json-value")) for group in inputs]
        print(f"| {title} |" + "".join(f" {own / 1e6:.0f} | {own / value:.2f} |" for own, value in cells))


def read():
    speeds("read", READERS)
    print()
    speeds("documents", DOCUMENTS)


def normalize():
    sizes = sorted(int(folder.name) for folder in (CRITERION / "api").iterdir() if folder.name.isdigit())
    print("| ns a message, of a list of |" + "".join(f" {size:,} |" for size in sizes))
    print("|---|" + "--:|" * len(sizes))
    for name, title in STEPS.items():
        runs = [fastest(CRITERION / name / str(size) / "new") for size in sizes]
        cells = [time / throughput["Elements"] for time, throughput in runs]
        print(f"| {title} |" + "".join(f" {cell:,.0f} |" for cell in cells))


def suite():
    profiles = ["causal", "shuffled", "hostile"]
    print("| µs a case |" + "".join(f" {profile} |" for profile in profiles))
    print("|---|" + "--:|" * len(profiles))
    for name, title in CASES.items():
        runs = [fastest(CRITERION / profile / name / "new") for profile in profiles]
        cells = [time / throughput["Elements"] / 1e3 for time, throughput in runs]
        print(f"| {title} |" + "".join(f" {cell:,.1f} |" for cell in cells))


{"normalize": normalize, "suite": suite}.get(" ".join(sys.argv[1:]), read)()
