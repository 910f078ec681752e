"""The strategies for Hypothesis."""

import pytest

hypothesis = pytest.importorskip("hypothesis")

import turnproof  # noqa: E402
from turnproof import strategies  # noqa: E402

REQUEST = {
    "model": "claude-opus-4-6",
    "max_tokens": 4096,
    "messages": [{"role": "user", "content": "hello"}],
    "tools": [{"name": "weather", "input_schema": {"type": "object"}}],
    "thinking": {"type": "adaptive"},
}
PLAYED = hypothesis.settings(max_examples=100, derandomize=True, deadline=None, database=None)


def smallest(strategy, wanted):
    return hypothesis.find(strategy, wanted, settings=hypothesis.settings(PLAYED, max_examples=2000))


@PLAYED
@hypothesis.given(strategies.histories(legal=True))
def test_legal_histories_are_legal_requests(history):
    assert not [found for found in turnproof.check_request(history) if found.severity == "error"]


@PLAYED
@hypothesis.given(strategies.replies(REQUEST))
def test_replies_break_no_rule_but_by_types_of_tomorrow(message):
    assert {found.rule for found in turnproof.check_response(message) if found.severity != "info"} <= {"reply/known"}


@PLAYED
@hypothesis.given(strategies.streams(REQUEST))
def test_streams_break_no_rule_but_by_types_of_tomorrow(stream):
    assert {found.rule for found in turnproof.check_response(stream) if found.severity != "info"} <= {"reply/known"}


@PLAYED
@hypothesis.given(strategies.sessions())
def test_sessions_hold_records(transcript):
    assert transcript == b"" or transcript.startswith(b"{")


def test_what_fails_is_shrunk():
    def dangles(history):
        return any(found.rule == "pairing/result-follows-use" for found in turnproof.check_request(history))

    history = smallest(strategies.histories(), dangles)
    assert len(history) <= 8 and sum(len(turn["content"]) for turn in history) <= 8, history


def test_every_kind_of_reply_comes():
    for kind in ("text", "thinking", "redacted_thinking", "tool_use"):
        message = smallest(strategies.replies(REQUEST), lambda reply: kind in [one["type"] for one in reply["content"]])
        assert len(message["content"]) <= 2, message
    assert smallest(strategies.sessions(damaged=True), lambda transcript: len(transcript) > 200)
