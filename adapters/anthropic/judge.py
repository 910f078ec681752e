"""Judges turns of requests by the types of the package `anthropic`.

One JSON array of turns a line in. One JSON string out: empty when the types allow the turns, else where they do not.
A `TypedDict` allows its own members only, wants each that is `Required`, and looks into each of them. Types of
replies (models of pydantic), which the package lets callers send back, are left out: bodies are judged as they are
written.
"""

import collections.abc
import json
import sys
from functools import lru_cache
from typing import Any, Union

import typing_extensions as te
from anthropic.types.beta.beta_message_param import BetaMessageParam

try:
    from types import UnionType
except ImportError:  # before Python 3.10
    UnionType = Union


@lru_cache(maxsize=None)
def members(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The members of a `TypedDict`: each one's type, and whether it is required."""
    found = {}
    for name, hint in te.get_type_hints(kind, include_extras=True).items():
        required = getattr(kind, "__total__", True)
        while te.get_origin(hint) in (te.Required, te.NotRequired, te.Annotated):
            if te.get_origin(hint) is not te.Annotated:
                required = te.get_origin(hint) is te.Required
            hint = te.get_args(hint)[0]
        found[name] = (hint, required)
    return found


@lru_cache(maxsize=None)
def tag(kind: Any) -> Any:
    """What the `type` of a `TypedDict` says; `None` when it has none."""
    hint, _ = members(kind).get("type", (None, False))
    return te.get_args(hint)[0] if te.get_origin(hint) is te.Literal else None


def union(value: Any, kinds: tuple[Any, ...], path: str) -> str:
    """Judges by the alternative that the value's `type` names, else by each."""
    if isinstance(value, dict) and "type" in value:
        for kind in kinds:
            if te.is_typeddict(kind) and tag(kind) is not None and tag(kind) == value["type"]:
                return judge(value, kind, path)
    errors = [judge(value, kind, path) for kind in flat(kinds)]
    return "" if "" in errors else max(errors, key=len)


def flat(kinds: tuple[Any, ...]) -> list[Any]:
    """The alternatives that are no unions themselves."""
    return [inner for kind in kinds for inner in (flat(te.get_args(kind)) if is_union(kind) else [kind])]


def is_union(kind: Any) -> bool:
    return te.get_origin(kind) in (Union, UnionType)


def typed_dict(value: Any, kind: Any, path: str) -> str:
    if not isinstance(value, dict):
        return f"{path}: no object"
    known = members(kind)
    for name, (hint, required) in known.items():
        if name in value:
            error = judge(value[name], hint, f"{path}.{name}")
            if error:
                return error
        elif required:
            return f"{path}.{name}: required"
    extra = [name for name in value if name not in known]
    return f"{path}.{extra[0]}: extra" if extra else ""


def judge(value: Any, kind: Any, path: str) -> str:
    """Where a value is not of a type; empty when it is."""
    origin, args = te.get_origin(kind), te.get_args(kind)
    if origin in (te.Required, te.NotRequired, te.Annotated):
        return judge(value, args[0], path)
    if is_union(kind):
        return union(value, tuple(flat(args)), path)
    if te.is_typeddict(kind):
        return typed_dict(value, kind, path)
    if origin is te.Literal:
        # `1 == True` in Python.
        return "" if any(value == arg and type(value) is type(arg) for arg in args) else f"{path}: not one of {args}"
    if origin in (collections.abc.Iterable, collections.abc.Sequence, list):
        if not isinstance(value, list):
            return f"{path}: no list"
        errors = (judge(element, args[0], f"{path}.{index}") for index, element in enumerate(value))
        return next((error for error in errors if error), "")
    if origin in (dict, collections.abc.Mapping):
        return "" if isinstance(value, dict) else f"{path}: no object"
    if kind in (object, Any):
        return ""
    if kind is None or kind is type(None):
        return "" if value is None else f"{path}: not null"
    if kind in (str, bool, int, float):
        return "" if type(value) is kind or (kind is float and type(value) is int) else f"{path}: no {kind.__name__}"
    # Open files, and models of replies.
    return f"{path}: not of {kind}"


def main() -> None:
    for line in sys.stdin:
        if line.strip():
            turns = enumerate(json.loads(line))
            errors = (judge(turn, BetaMessageParam, f"messages.{index}") for index, turn in turns)
            print(json.dumps(next((error for error in errors if error), "")))


if __name__ == "__main__":
    main()
