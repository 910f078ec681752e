// A prompt for the loop of `ai`; what it gives back is kept in the home for the next prompt.
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [installed, prompt] = process.argv.slice(2);
const { resolve } = createRequire(`${installed}/`);
const load = (name) => import(pathToFileURL(resolve(name)).href);
const { streamText, tool, stepCountIs } = await load('ai');
const { createAnthropic } = await load('@ai-sdk/anthropic');
const { z } = await load('zod');

const kept = `${process.env.HOME}/messages.json`;
const messages = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : [];
messages.push({ role: 'user', content: prompt });
const anthropic = createAnthropic({ baseURL: `${process.env.ANTHROPIC_BASE_URL}/v1`, apiKey: process.env.ANTHROPIC_API_KEY });
let failed;
const result = streamText({
  model: anthropic('claude-sonnet-4-5'),
  messages,
  maxOutputTokens: 8000,
  stopWhen: stepCountIs(20),
  providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } },
  tools: {
    shell: tool({
      description: 'Runs a command',
      inputSchema: z.object({ command: z.string() }),
      execute: async ({ command }) => execSync(command, { encoding: 'utf8' }),
    }),
    read: tool({
      description: 'Reads a file',
      inputSchema: z.object({ path: z.string() }),
      execute: async ({ path }) => readFileSync(path, 'utf8'),
    }),
  },
  onError: ({ error }) => {
    failed = error;
  },
});
try {
  await result.consumeStream();
  messages.push(...(await result.responseMessages));
} catch (error) {
  failed = error;
}
writeFileSync(kept, JSON.stringify(messages));
if (failed) {
  console.error(String(failed));
  process.exit(1);
}
