"""`ChatAnthropic` of langchain-anthropic, asked with LangChain's messages."""

from intercept import KEY, MODEL, normalizer
from neutral import SCHEMA, result_content, serve_library, tool_names

from langchain_anthropic import ChatAnthropic
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

CHAT = ChatAnthropic(model=MODEL, api_key=KEY, max_tokens=100, max_retries=0)


def reply(content):
    """A reply as `ChatAnthropic` gives one: the API's blocks, and the calls beside them once more."""
    if isinstance(content, str):
        return AIMessage(content=content)
    calls = [block for block in content if block["type"] == "tool_use"]
    return AIMessage(
        content=[cut_off(block) if block in calls else block for block in content],
        tool_calls=[
            {"type": "tool_call", "id": call["id"], "name": call["name"], "args": call["input"]}
            for call in calls
            if isinstance(call["input"], dict)
        ],
        invalid_tool_calls=[
            {"type": "invalid_tool_call", "id": call["id"], "name": call["name"], "args": call["input"], "error": None}
            for call in calls
            if not isinstance(call["input"], dict)
        ],
    )


def cut_off(call):
    """A call whose input was cut off has it as the joined chunks of a stream have it."""
    return call if isinstance(call["input"], dict) else {**call, "input": {}, "partial_json": call["input"]}


def prompt(content):
    """A message for each result, and one for what stands between results. Blocks stay the API's, which are allowed."""
    if isinstance(content, str):
        return [HumanMessage(content=content)]
    messages, others = [], []
    for block in content:
        if block["type"] != "tool_result":
            if not others:
                messages.append(others)
            others.append(block)
            continue
        others = []
        status = "error" if block.get("is_error") else "success"
        messages.append(ToolMessage(content=result_content(block), tool_call_id=block["tool_use_id"], status=status))
    return [HumanMessage(content=one) if isinstance(one, list) else one for one in messages or [[]]]


def ask(history):
    made = [one for role, content in history for one in ([reply(content)] if role == "assistant" else prompt(content))]
    chat = CHAT.bind_tools([{"name": name, "input_schema": SCHEMA} for name in tool_names(history)])
    return chat.invoke(made)


serve_library("langchain-anthropic", normalize_api=normalizer(ask))
