"""The package `anthropic` against `turnproof mock`: what an application does with it, each thing once."""

import anthropic

MODEL = "claude-opus-4-6"
TOOLS = [
    {"name": "shell", "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}}},
    {"name": "read", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}},
    {"type": "bash_20250124", "name": "bash"},
    {"type": "web_search_20250305", "name": "web_search"},
]
CLIENT = anthropic.Anthropic(max_retries=2)
ASKED = {"model": MODEL, "max_tokens": 4096, "messages": [{"role": "user", "content": "hello"}]}


def tools():
    """A loop of tools, streamed: what the model said goes back with a result for each call."""
    asked = dict(ASKED, tools=TOOLS, thinking={"type": "adaptive"})
    with CLIENT.messages.stream(**asked) as stream:
        message = stream.get_final_message()
    kinds = [block.type for block in message.content]
    assert kinds[:3] == ["thinking", "redacted_thinking", "text"] and kinds[-3:] == ["tool_use"] * 3, kinds
    assert message.content[2].citations[0].cited_text == "a"
    calls = [block for block in message.content if block.type == "tool_use"]
    assert calls[0].input == {"command": "echo alpha"}, calls[0].input
    results = [{"type": "tool_result", "tool_use_id": call.id, "content": "alpha"} for call in calls]
    said = [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]
    after = CLIENT.messages.create(**dict(asked, messages=ASKED["messages"] + said))
    assert after.stop_reason == "end_turn" and "with results" in after.content[-1].text, after


def retries():
    """An overloaded host is asked again. A stream that is cut is an error, and the next one is whole."""
    assert CLIENT.messages.create(**ASKED).content[0].text.startswith("Reply")
    for _ in range(2):
        try:
            with CLIENT.messages.stream(**ASKED) as stream:
                stream.get_final_message()
        except Exception as error:
            print("cut:", type(error).__name__)
            break
    else:
        raise AssertionError("no stream was cut")


def refused():
    """A body that is not legal comes back as the error that it is."""
    try:
        CLIENT.messages.create(**dict(ASKED, messages=[]))
    except anthropic.BadRequestError as error:
        assert error.body["error"]["message"] == "messages: at least one message is required", error.body
        assert error.request_id.startswith("req_"), error.request_id
    else:
        raise AssertionError("it was taken")


def others():
    count = CLIENT.messages.count_tokens(model=MODEL, messages=ASKED["messages"], tools=TOOLS)
    assert count.input_tokens > 10
    names = [model.id for model in CLIENT.models.list()]
    assert CLIENT.models.retrieve(names[0]).id == names[0]
    batch = CLIENT.messages.batches.create(requests=[{"custom_id": "a", "params": ASKED}])
    assert CLIENT.messages.batches.retrieve(batch.id).processing_status == "ended"
    results = list(CLIENT.messages.batches.results(batch.id))
    assert results[0].result.message.content[0].text.startswith("Reply"), results


def clouds():
    """The clients for clouds, where what they need besides is installed."""
    try:
        bedrock = anthropic.AnthropicBedrock(aws_access_key="a", aws_secret_key="b", aws_region="us-east-1")
        with bedrock.messages.stream(**dict(ASKED, model="anthropic.claude-opus-4-6-v1:0")) as stream:
            assert stream.get_final_message().content[0].text.startswith("Reply")
    except ImportError as error:
        print("no Bedrock here:", error)
    try:
        vertex = anthropic.AnthropicVertex(region="global", project_id="p", access_token="t")
        assert vertex.messages.create(**ASKED).content[0].text.startswith("Reply")
    except ImportError as error:
        print("no Vertex here:", error)


for step in (tools, retries, refused, others, clouds):
    step()
print("done")
