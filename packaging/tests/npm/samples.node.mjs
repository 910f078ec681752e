// What newcomers write: the first test of the page for TypeScript, with the official SDK, matchers, properties, and a
// typed project.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

// A project that names no library and no types.
const withoutTypes = ["--strict", "--noEmit", "--ignoreConfig", "--target", "es2022", "--module", "nodenext", "--types", ""];

const session = process.env.TURNPROOF_SAMPLE_SESSION;
const noPage = !session && "TURNPROOF_SAMPLE_SESSION says where the pages are";

test("the first test of the page fails as the page says, and passes with a result", { skip: skip || noPage }, () => {
  const page = readFileSync(join(dirname(session), "..", "typescript.md"), "utf8");
  const block = (language) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(page)[1];
  const written = block("ts");
  assert.ok(written.trimEnd().split("\n").length <= 12);
  const sample = new URL("page.vitest.ts", import.meta.url);
  writeFileSync(sample, written);
  const { said } = run("vitest", "run", "page.vitest.ts");
  assert.match(said, /Tests +1 failed/, said);
  assert.match(said, /400 .*messages\.1: `tool_use` ids were found without `tool_result` blocks/);
  for (const line of block("text").trimEnd().split("\n")) assert.ok(said.includes(line.replace(/…$/, "")), said);
  assert.equal(said.split(" FAIL ").length, 3, `the error of the SDK and the rules, each once: ${said}`);
  assert.equal(said.split("BrokenRules: ").length, 2, said);
  // It is typed, too, beside the others.
  writeFileSync(sample, written.replace('"And now?"', /`(\[.*tool_result.*\])`/.exec(page)[1]));
  const { said: then } = run("vitest", "run", "page.vitest.ts");
  assert.match(then, /Tests +1 passed/, then);
  const { code, said: typed } = run("tsc", ...withoutTypes, "page.vitest.ts");
  assert.equal(code, 0, typed);
});

test("matchers, the fixture and arbitraries do what they say", { skip }, () => {
  const { code, said } = run("vitest", "run", "all.vitest.ts");
  assert.equal(code, 0, said);
});

test("the types of the package need no others", { skip }, () => {
  const { code, said } = run("tsc", ...withoutTypes, "node_modules/turnproof/lib/index.d.mts");
  assert.equal(code, 0, said);
});

test("a typed project is strictly typed", { skip }, () => {
  const { code, said } = run("tsc", "-p", "tsconfig.json");
  assert.equal(code, 0, said);
});
