"""`ChatAnthropic` of langchain-anthropic: the requests of `invoke`, and the messages of `stream`."""

from intercept import KEY, MODEL, normalizer
from neutral import SCHEMA, TOOL, result_content, serve_library, tool_names
from streams import by_block

from langchain_anthropic import ChatAnthropic
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

CHAT = ChatAnthropic(model=MODEL, api_key=KEY, max_tokens=100, max_retries=0)

#: Asked for streams: with a beta it has types for all that a stream may hold.
STREAMING = ChatAnthropic(model=MODEL, api_key=KEY, max_tokens=100, max_retries=0, betas=["compact-2026-01-12"])

#: What chunks have beside the members of a block.
OF_STREAMS = ("index", "partial_json")

#: What is `None` in a block that the API sent without it.
OF_TYPES = ("caller", "citations", "estimated_tokens", "toolset_name")


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
    return CHAT.bind_tools(tools(tool_names(history))).invoke(made)


def tools(names):
    return [{"name": name, "input_schema": SCHEMA} for name in names]


def read(_):
    """The chunks of a stream, added up. Without tools the library would join all texts of a reply to one string."""
    chunks = list(STREAMING.bind_tools(tools([TOOL])).stream("a"))
    whole = sum(chunks[1:], chunks[0])
    return {"model": whole.response_metadata.get("model_name"), "content": blocks_of(whole)}


def blocks_of(message):
    """The blocks of a message. Its calls have their inputs in `tool_calls`, or as a text in `invalid_tool_calls`."""
    calls = [*message.tool_calls, *message.invalid_tool_calls]
    made = []
    for block in message.content:
        block = {k: v for k, v in block.items() if k not in OF_STREAMS and not (k in OF_TYPES and v is None)}
        if block["type"] == "tool_use":
            call = next(call for call in calls if call["id"] == block["id"])
            calls.remove(call)
            block["input"] = call["args"]
        made.append(block)
    return made


serve_library("langchain-anthropic", normalize_api=normalizer(ask), accumulate=by_block(read))
