from turnproof_subject import history, serve


def ids(turn, role, kind, member):
    """What a member of the blocks of a kind holds, if the turn has this role."""
    blocks = turn["content"] if turn and turn["role"] == role else []
    return [block.get(member) for block in blocks if isinstance(block, dict) and block.get("type") == kind]


def normalize_api(messages, options):
    turns = []
    for turn in [*history(messages), None]:
        calls = ids(turns[-1] if turns else None, "assistant", "tool_use", "id")
        results = ids(turn, "user", "tool_result", "tool_use_id")
        missing = [
            {"type": "tool_result", "tool_use_id": call, "content": "There is no result.", "is_error": True}
            for call in calls
            if call not in results
        ]
        if turn and turn["role"] == "user":
            turn["content"] = missing + turn["content"]
        elif missing:
            turns.append({"role": "user", "content": missing})
        if turn:
            turns.append(turn)
    return turns


serve(name="my-pipeline", normalize_api=normalize_api)
