import { history, serve } from "./turnproof-subject.mjs";

/** What a member of the blocks of a kind holds, if the turn has this role. */
function ids(turn, role, kind, member) {
  const blocks = turn?.role === role ? turn.content : [];
  return blocks.filter((block) => block.type === kind).map((block) => block[member]);
}

function normalize_api(messages, options) {
  const turns = [];
  for (const turn of [...history(messages), null]) {
    const calls = ids(turns.at(-1), "assistant", "tool_use", "id");
    const results = ids(turn, "user", "tool_result", "tool_use_id");
    const missing = calls
      .filter((call) => !results.includes(call))
      .map((tool_use_id) => ({ type: "tool_result", tool_use_id, content: "There is no result.", is_error: true }));
    if (turn?.role === "user") {
      turn.content.unshift(...missing);
    } else if (missing.length > 0) {
      turns.push({ role: "user", content: missing });
    }
    if (turn) {
      turns.push(turn);
    }
  }
  return turns;
}

serve({ name: "my-pipeline", operations: { normalize_api } });
