"""JSON as the command takes it: one line, and the objects of SDKs as what they stand for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn


def one_line(value: object) -> str:
    """The JSON of a value on one line. A text or bytes are taken as JSON already.

    Objects of the SDK's types, such as the blocks of a reply, become what the SDK sends for them.

    Raises ``ValueError`` for a text that is no JSON, and ``TypeError`` for what has no form in JSON.
    """
    if isinstance(value, (bytes, bytearray)):
        value = value.decode("utf-8")
    if isinstance(value, str):
        json.loads(value, parse_constant=_refuse)
        # Outside of its strings JSON may have line ends, and inside it has none.
        return value.replace("\r", " ").replace("\n", " ")
    return json.dumps(value, default=_plain, allow_nan=False, separators=(",", ":"))


def _plain(value: object) -> Any:
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump(mode="json", exclude_unset=True, by_alias=True)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON: {value!r:.80}")


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
