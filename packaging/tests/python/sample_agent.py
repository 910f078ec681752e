import anthropic
import pytest

CALL = {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "rain"}


@pytest.mark.parametrize("answers", [[], [RESULT]], ids=["dangling", "answered"])
def test_the_history_is_legal(claude_mock, answers):
    asked = {"role": "user", "content": [*answers, {"type": "text", "text": "And now?"}]}
    history = [{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": [CALL]}, asked]
    anthropic.Anthropic().messages.create(model="claude-opus-4-6", max_tokens=99, messages=history)
