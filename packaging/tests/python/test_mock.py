"""The mock, and what a plugin makes of its requests."""

import asyncio
import json
import urllib.error
import urllib.request

import pytest

import turnproof
from turnproof._shrink import shrink

pytest_plugins = ["pytester"]

HELLO = [{"role": "user", "content": "hello"}]
TOOLS = [{"name": "weather", "input_schema": {"type": "object"}}]


def ask(url, messages=HELLO, **more):
    """The message or the error that answers a request, over a connection of its own."""
    body = {"model": "claude-opus-4-6", "max_tokens": 99, "messages": messages, **more}
    headers = {"x-api-key": "k", "anthropic-version": "2023-06-01", "content-type": "application/json"}
    request = urllib.request.Request(f"{url}/v1/messages", json.dumps(body).encode(), headers)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


def test_a_script_may_be_changed_while_the_mock_runs():
    with turnproof.Mock(["one"]) as mock:
        assert ask(mock.url)["content"] == [{"type": "text", "text": "one"}]
        mock.script([[{"type": "tool_use", "name": "weather", "input": {"city": "Rome"}}, "two"], 529, "three"])
        assert [block["type"] for block in ask(mock.url, tools=TOOLS)["content"]] == ["tool_use", "text"]
        assert ask(mock.url)["error"]["type"] == "overloaded_error"
        mock.fault("rate-limit")
        assert ask(mock.url)["error"]["type"] == "rate_limit_error"
        assert ask(mock.url)["content"][0]["text"] == "three"
        assert [request.status for request in mock.requests] == [200, 200, 529, 429, 200]
        with pytest.raises(ValueError, match="unknown field `step_`"):
            mock.script({"step_": []})
        with pytest.raises(ValueError, match="there is no fault"):
            mock.fault("never")


def test_requests_are_kept_with_their_bodies_and_verdicts():
    with turnproof.Mock() as mock:
        ask(mock.url)
        ask(mock.url, [])
    first, second = mock.requests
    assert (first.body["messages"], first.ok, first.reply["role"]) == (HELLO, True, "assistant")
    assert (second.legal, second.status, second.error) == (False, 400, "messages: at least one message is required")
    assert first.headers["x-api-key"] != "k", "keys are masked"
    assert mock.problems == [second]
    with pytest.raises(turnproof.BrokenRules, match="error.api/first-user"):
        mock.assert_legal()
    mock.clear()
    mock.assert_legal()


def test_a_run_begins_again_and_bytes_choose_replies():
    with turnproof.Mock() as mock:
        said = []
        for choices in (b"\x00\x03\x05\x01", b"\x00\x03\x05\x01", b""):
            mock.begin(choices)
            said.append(ask(mock.url, tools=TOOLS)["content"])
            assert [request.number for request in mock.requests] == [1]
    assert said[0] == said[1] != said[2]
    assert said[2][0]["text"].startswith("Reply 1")


def test_a_mock_is_asynchronous_too():
    async def asked():
        async with turnproof.Mock(["one"]) as mock:
            return (await asyncio.to_thread(ask, mock.url))["content"][0]["text"]

    assert asyncio.run(asked()) == "one"


def test_a_mock_that_does_not_run_says_so():
    with pytest.raises(turnproof.ProgramError, match="does not run"):
        turnproof.Mock().script(["one"])
    with pytest.raises(ValueError, match="unknown field"):
        turnproof.Mock({"steps": []}).start()


def test_bytes_are_shrunk_to_the_smallest_that_fail():
    asked = []

    def fails(data):
        asked.append(data)
        return len(data) >= 3 and max(data) >= 7

    assert shrink(bytes(range(64)), fails) in (b"\x00\x00\x07", b"\x00\x07\x00", b"\x07\x00\x00")
    assert len(asked) == len(set(asked)) <= 400


ASK = """
import json, os, urllib.request, urllib.error
def ask(messages, **more):
    body = {"model": "claude-opus-4-6", "max_tokens": 99, "messages": messages, **more}
    headers = {"x-api-key": os.environ["ANTHROPIC_API_KEY"], "anthropic-version": "2023-06-01"}
    url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        return json.load(opener.open(urllib.request.Request(url, json.dumps(body).encode(), headers)))
    except urllib.error.HTTPError as error:
        return json.load(error)
HELLO = {"role": "user", "content": "hello"}
"""


def test_a_test_fails_by_its_requests_alone(pytester):
    pytester.makepyfile(
        ASK
        + """
def test_legal(claude_mock):
    assert ask([HELLO])["content"] and claude_mock.requests[0].ok

def test_illegal(claude_mock):
    ask([])

def test_meant(claude_mock):
    assert "at least one" in ask([])["error"]["message"]
    claude_mock.clear()

def test_lost(claude_mock):
    history = [HELLO, {"role": "assistant", "content": ask([HELLO])["content"]}, {"role": "user", "content": "b"}]
    more = [{"role": "assistant", "content": ask(history)["content"]}, {"role": "user", "content": "d"}]
    ask([*history[:2], {"role": "user", "content": "c"}, *more])
"""
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["*error?api/first-user?: a list of messages that is empty", "*--> request 1: messages"])
    result.stdout.fnmatch_lines(["*error?history/text-changed?*"])


def test_a_marked_test_is_played_and_shrunk(pytester):
    pytester.makepyfile(
        ASK
        + """
import pytest
TOOLS = [{"name": "weather", "input_schema": {"type": "object"}}]

def play(most):
    history = [HELLO]
    for _ in range(9):
        said = ask(history, tools=TOOLS)["content"]
        calls = [block["id"] for block in said if block["type"] == "tool_use"][:most]
        said = [block for block in said if block.get("text") != ""]
        if not calls:
            return
        history.append({"role": "assistant", "content": said})
        history.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id} for id in calls]})

@pytest.mark.turnproof(seeds=40)
def test_every_call():
    play(None)

@pytest.mark.turnproof(seeds=40)
def test_first_call_alone():
    play(1)
"""
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*the smallest replies by which it does:", "*error?pairing/result-follows-use?*"])
    [again] = [line for line in result.outlines if line.startswith("again: ")]
    smallest = bytes.fromhex(again.split('"')[1])
    assert len(smallest) <= 16, again
    shown = [line for line in result.outlines if line.startswith("  1 POST /v1/messages: ")]
    assert shown and shown[0].count("tool_use ") == 2, "two calls are the fewest"


def test_the_fixture_works_in_workers(pytester):
    pytest.importorskip("xdist")
    pytester.makepyfile(
        ASK
        + """
import pytest
@pytest.mark.parametrize("number", range(6))
def test_legal(claude_mock, number):
    ask([HELLO])
    assert len(claude_mock.requests) == 1
"""
    )
    pytester.runpytest_subprocess("-n", "2").assert_outcomes(passed=6)


def test_asynchronous_tests_are_played_too(pytester):
    pytest.importorskip("pytest_asyncio")
    pytester.makepyfile(
        ASK
        + """
import asyncio
import pytest

@pytest.mark.asyncio
@pytest.mark.turnproof(seeds=4)
async def test_legal(claude_mock):
    await asyncio.to_thread(ask, [HELLO])

@pytest.mark.asyncio
async def test_illegal(claude_mock):
    await asyncio.to_thread(ask, [])
"""
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1, failed=1)


def test_respx_leaves_the_mock_alone(pytester):
    pytest.importorskip("respx")
    pytester.makepyfile(
        ASK
        + """
import httpx, respx

@respx.mock
def test_both(claude_mock):
    respx.get("https://weather.example/").mock(return_value=httpx.Response(200, text="rain"))
    assert httpx.get("https://weather.example/").text == "rain"
    ask([HELLO])
    assert len(claude_mock.requests) == 1
"""
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
