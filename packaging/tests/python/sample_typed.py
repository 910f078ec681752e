"""What a typed project writes; ``mypy --strict`` reads it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given

from turnproof import Mock, Request, Verdict, Violation, assert_legal, check_request, check_session, repair, strategies


def errors(body: object) -> list[str]:
    found: list[Violation] = check_request(body, host="vertex")
    return [one.error or one.found for one in found if one.severity == "error"]


def state(path: Path) -> str:
    verdict: Verdict = check_session(path)
    return verdict.state if verdict.is_healthy else repr(repair(path).changes)


@pytest.mark.turnproof(seeds=3)
def test_a_marked_function(claude_mock: Mock) -> None:
    claude_mock.script(["Hello.", [{"type": "tool_use", "name": "weather"}, "text"], 529, {"text": "a", "delay": 1}])
    claude_mock.fault("cut", "529")
    requests: list[Request] = claude_mock.requests
    assert requests == []


@given(strategies.histories(legal=True))
def test_a_property(history: list[dict[str, object]]) -> None:
    assert_legal(history)


async def played() -> str:
    async with Mock({"step": [{"text": "a"}]}, seed=7) as mock:
        return mock.env["ANTHROPIC_BASE_URL"]


def test_an_asynchronous_mock() -> None:
    assert asyncio.run(played()).startswith("http://127.0.0.1:")
