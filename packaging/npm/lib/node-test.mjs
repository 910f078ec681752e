// For node:test: a mock of a test, which ends with it.

import { entered } from "./environment.mjs";
import { startMock } from "./index.mjs";

export { assertLegal, assertLegalReply } from "./index.mjs";

export async function claudeMock(t, options) {
  const mock = await startMock(options);
  const leave = entered(mock);
  t.after(async () => {
    leave();
    try {
      await mock.assertLegal();
    } catch (broken) {
      // Of a test that has failed, node prints its own error and no other.
      if (!t.error) throw broken;
      for (const line of broken.message.split("\n")) t.diagnostic(line);
    } finally {
      await mock.stop();
    }
  });
  return mock;
}
