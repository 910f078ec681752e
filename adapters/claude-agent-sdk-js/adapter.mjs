/** What `getSessionMessages` of the npm package `@anthropic-ai/claude-agent-sdk` reads of a transcript. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { packageVersion } from "../common/versions.mjs";
import { serve, Unsupported } from "../kit/node/turnproof-subject.mjs";

const SESSION = "5e550000-0000-4000-8000-000000000001";

/** The kinds that it gives back, and participants of a conversation that are none of them. */
const GIVEN = ["user", "assistant", "system"];
const HIDDEN = ["attachment", "hook_result"];

const home = mkdtempSync(join(tmpdir(), "turnproof-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));
const folder = join(home, "projects", "project");
mkdirSync(folder, { recursive: true });
// It looks for transcripts there, and reads this when it is loaded.
process.env.CLAUDE_CONFIG_DIR = home;
const { getSessionMessages } = await import("@anthropic-ai/claude-agent-sdk");

async function resume(data) {
  const lines = linesByUuid(data);
  writeFileSync(join(folder, `${SESSION}.jsonl`), data);
  const messages = await getSessionMessages(SESSION, { includeSystemMessages: true });
  if (messages.length === 0) {
    return null;
  }
  // It gives messages, not records. The record of a message is the line with its uuid.
  return { records: messages.map(({ uuid }) => ({ uuid, record: lineOf(uuid, lines) })) };
}

function lineOf(uuid, lines) {
  if (!lines.has(uuid)) {
    throw new Unsupported("a message of a damaged line: which bytes it was read from is not told");
  }
  return lines.get(uuid);
}

/** The line of each uuid: the last one where it repeats, which is the one that stands (SPEC.md 3.3.1). */
function linesByUuid(data) {
  const found = new Map();
  for (let start = 0; start < data.length; ) {
    const next = data.indexOf(10, start);
    const end = next < 0 ? data.length : next;
    const line = data.subarray(start, end);
    const record = read(line);
    if (HIDDEN.includes(record?.type)) {
      throw new Unsupported(`records of the kind ${record.type}: it gives back ${GIVEN.join(", ")}`);
    }
    if (record?.isMeta) {
      throw new Unsupported("records with isMeta: it gives back visible messages");
    }
    if (typeof record?.uuid === "string") {
      found.set(record.uuid, line);
    }
    start = end + 1;
  }
  return found;
}

function read(line) {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}

serve({
  name: "claude-agent-sdk-js",
  version: packageVersion(import.meta.url, "@anthropic-ai/claude-agent-sdk"),
  operations: { resume },
});
