import type { Mock, MockOptions } from "./index.mjs";

export { assertLegal, assertLegalReply } from "./index.mjs";

/**
 * A mock of the Messages API for one test, which the environment names to SDKs until the test ends. The test fails where
 * a request was not legal, or lost something of the one that it continues; where it has failed already, its diagnostics
 * say so. `t` is the context of the test.
 */
export function claudeMock(
  t: { after(hook: () => Promise<void>): void; diagnostic(message: string): void },
  options?: MockOptions,
): Promise<Mock>;
