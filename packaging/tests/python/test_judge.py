"""Verdicts on requests, replies and sessions."""

import gzip
import json
import os
import threading
from pathlib import Path

import pytest

import turnproof

HERE = Path(__file__).resolve()
SAMPLES = Path(os.environ["TURNPROOF_SAMPLES"]) if "TURNPROOF_SAMPLES" in os.environ else HERE.parents[3] / "docs/samples"
DANGLING = [
    {"role": "user", "content": "Weather?"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}]},
    {"role": "user", "content": "And now?"},
]


def body(messages):
    return {"model": "claude-opus-4-6", "max_tokens": 9, "messages": messages}


def test_a_violation_says_where_and_what_the_api_answers():
    [found] = turnproof.check_request(body(DANGLING))
    assert (found.rule, found.severity, found.kind) == ("pairing/result-follows-use", "error", "no-result")
    assert (found.turn, found.block, found.path) == (1, 0, "messages.1.content.0")
    assert found.error.startswith("messages.1: `tool_use` ids were found without")
    assert found.values == {"id": "toolu_1"}


def test_an_illegal_request_fails_with_what_check_prints():
    with pytest.raises(turnproof.IllegalRequest, match="turnproof explain pairing/result-follows-use") as failure:
        turnproof.assert_legal(body(DANGLING))
    assert [found.rule for found in failure.value.violations] == ["pairing/result-follows-use"]
    assert isinstance(failure.value, AssertionError)
    turnproof.assert_legal(body(DANGLING[:1]))


@pytest.mark.parametrize("form", [json.dumps, lambda value: json.dumps(value, indent=1).encode(), lambda value: value])
def test_a_request_may_be_text_bytes_or_objects(form):
    assert len(turnproof.check_request(form(body(DANGLING)))) == 1
    assert turnproof.check_request(form(DANGLING[:1])) == []


def test_hosts_differ():
    system = [*DANGLING[:1], {"role": "assistant", "content": "rain"}]
    assert {host: len(turnproof.check_request(system, host)) for host in ("anthropic", "portable")}["anthropic"] == 0
    with pytest.raises(ValueError, match="there is no host 'nowhere'"):
        turnproof.check_request(system, "nowhere")


def test_half_of_a_surrogate_pair_arrives():
    assert turnproof.check_request(body([{"role": "user", "content": "\ud83d"}]))[0].rule == "api/valid-unicode"


@pytest.mark.parametrize("wrong", ["{", "NaN", {}, 7, {"messages": float("nan")}])
def test_what_is_no_request_is_refused(wrong):
    with pytest.raises(ValueError):
        turnproof.check_request(wrong)
    assert turnproof.check_request(body(DANGLING[:1])) == [], "and the next call is answered"


def test_objects_of_an_sdk_become_what_it_sends():
    class Block:
        def model_dump(self, *, mode, exclude_unset, by_alias):
            assert (mode, exclude_unset, by_alias) == ("json", True, True)
            return {"type": "text", "text": "rain"}

    assert turnproof.check_request(body([{"role": "user", "content": [Block()]}])) == []


def test_threads_share_the_process():
    found = []
    ask = lambda: found.extend(len(turnproof.check_request(body(DANGLING))) for _ in range(50))
    threads = [threading.Thread(target=ask) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == [1] * 200


def test_a_reply_is_judged_in_each_form():
    message = {"type": "message", "id": "msg_1", "role": "assistant", "model": "m", "content": [], "stop_reason": None}
    assert {found.rule for found in turnproof.check_response(message)} >= {"reply/usage"}
    assert {found.rule for found in turnproof.check_response([{"type": "ping"}, {"type": "message_stop"}])}
    with pytest.raises(turnproof.IllegalReply, match="reply/usage"):
        turnproof.assert_legal_reply(message)
    with pytest.raises(ValueError):
        turnproof.check_response("good day")


def test_a_session_has_a_verdict_and_a_repair(tmp_path):
    verdict = turnproof.check_session(SAMPLES / "session.jsonl")
    assert (verdict.state, verdict.accepted, verdict.is_healthy) == ("refused", False, False)
    assert verdict.errors[0].error.startswith("messages.3: `tool_use` ids were found without")
    assert verdict.run.startswith("turnproof repair")
    assert "warning[tool/call-answered]" in verdict.report
    repaired = turnproof.repair(SAMPLES / "session.jsonl", to=tmp_path / "whole.jsonl")
    assert repaired.changed and repaired.changes[0].rule
    assert turnproof.check_session(tmp_path / "whole.jsonl").is_healthy
    assert not turnproof.repair(tmp_path / "whole.jsonl").changed
    with pytest.raises(FileExistsError):
        turnproof.repair(SAMPLES / "session.jsonl", to=tmp_path / "whole.jsonl")
    (tmp_path / "small.jsonl.gz").write_bytes(gzip.compress(repaired.content))
    assert turnproof.check_session(tmp_path / "small.jsonl.gz").is_healthy
    with pytest.raises(ValueError, match="no such file"):
        turnproof.check_session(tmp_path / "nowhere.jsonl")


def test_a_program_that_is_not_there_is_named(monkeypatch):
    from turnproof import _program

    monkeypatch.setenv("TURNPROOF_PROGRAM", "/nowhere/turnproof")
    with pytest.raises(turnproof.ProgramError, match="/nowhere/turnproof"):
        _program.Dialogue().ask("judge_request", "{}")
