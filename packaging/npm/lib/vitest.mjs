// For vitest: the matchers `toBeLegalRequest` and `toBeLegalReply`, and `test` with the fixture `claudeMock`.

import { expect, test as base } from "vitest";

import { entered } from "./environment.mjs";
import { judgeRequest, judgeResponse, startMock } from "./index.mjs";

function matched(judged, what) {
  return { pass: judged.legal, message: () => (judged.legal ? `expected ${what} that is not legal` : judged.report) };
}

expect.extend({
  toBeLegalRequest(body, options) {
    return matched(judgeRequest(body, options), "a request");
  },
  toBeLegalReply(reply) {
    return matched(judgeResponse(reply), "a reply");
  },
});

export const test = base.extend({
  claudeMock: async ({ onTestFinished }, use) => {
    const mock = await startMock();
    const leave = entered(mock);
    // vitest prints what a fixture throws after `use` twice.
    onTestFinished(async () => {
      leave();
      try {
        await mock.assertLegal();
      } finally {
        await mock.stop();
      }
    });
    await use(mock);
  },
});

export const it = test;
