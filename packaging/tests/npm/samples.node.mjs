// What newcomers write: a test against the mock with the official SDK, matchers, properties, and a typed project.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const here = (name) => existsSync(new URL(`node_modules/${name}/package.json`, import.meta.url));
const missing = ["vitest", "fast-check", "typescript", "@anthropic-ai/sdk"].filter((name) => !here(name));
const skip = missing.length > 0 && `${missing.join(", ")} cannot be found`;

function run(...words) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const ran = spawnSync("npx", ["--no-install", ...words], {
    cwd: new URL(".", import.meta.url),
    env: { ...env, NO_COLOR: "1" },
    encoding: "utf8",
  });
  return { code: ran.status, said: ran.stdout + ran.stderr };
}

test("a dangling call fails with the words of the API, and an answered one passes", { skip }, () => {
  const lines = readFileSync(new URL("sample.vitest.ts", import.meta.url), "utf8").trimEnd().split("\n");
  assert.ok(lines.length <= 12);
  const { said } = run("vitest", "run", "sample.vitest.ts");
  assert.match(said, /Tests +1 failed \| 1 passed/, said);
  assert.match(said, /FAIL .*dangling/);
  assert.match(said, /400 .*messages\.1: `tool_use` ids were found without `tool_result` blocks/);
  assert.match(said, /error\[pairing\/result-follows-use\]: the call toolu_1 has no result in the next turn/);
});

test("matchers, the fixture and arbitraries do what they say", { skip }, () => {
  const { code, said } = run("vitest", "run", "all.vitest.ts");
  assert.equal(code, 0, said);
});

test("a typed project is strictly typed", { skip }, () => {
  const { code, said } = run("tsc", "-p", "tsconfig.json");
  assert.equal(code, 0, said);
});
