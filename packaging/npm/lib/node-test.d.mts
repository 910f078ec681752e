import type { Mock, MockOptions } from "./index.mjs";

export { assertLegal, assertLegalReply } from "./index.mjs";

/**
 * A mock of the Messages API for one test, which the environment names to SDKs until the test ends. The test fails where
 * a request was not legal, or lost something of the one that it continues. `t` is the context of the test.
 */
export function claudeMock(
  t: { after(hook: () => Promise<void>): void },
  options?: MockOptions,
): Promise<Mock>;
