// A prompt for the tool runner of the SDK; its messages are kept in the home for the next prompt.
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [installed, prompt] = process.argv.slice(2);
const { resolve } = createRequire(`${installed}/`);
const load = (name) => import(pathToFileURL(resolve(name)).href);
const { default: Anthropic } = await load('@anthropic-ai/sdk');
const { betaTool } = await load('@anthropic-ai/sdk/helpers/beta/json-schema');

const tool = (name, member, run) =>
  betaTool({
    name,
    description: name,
    inputSchema: { type: 'object', properties: { [member]: { type: 'string' } }, required: [member] },
    run,
  });
const kept = `${process.env.HOME}/messages.json`;
const messages = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : [];
messages.push({ role: 'user', content: prompt });
const runner = new Anthropic().beta.messages.toolRunner({
  model: 'claude-sonnet-4-5',
  max_tokens: 4000,
  thinking: { type: 'enabled', budget_tokens: 2000 },
  messages,
  tools: [
    tool('shell', 'command', ({ command }) => execSync(command, { encoding: 'utf8' })),
    tool('read', 'path', ({ path }) => readFileSync(path, 'utf8')),
  ],
  stream: true,
  max_iterations: 20,
});
try {
  for await (const stream of runner) await stream.finalMessage();
} finally {
  writeFileSync(kept, JSON.stringify(runner.params.messages));
}
