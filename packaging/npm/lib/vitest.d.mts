import type { TestAPI } from "vitest";
import type { Mock, RequestOptions } from "./index.mjs";

interface LegalMatchers {
  /** The host takes this request: a body, its messages, or JSON text. Fails with what `turnproof check` prints. */
  toBeLegalRequest(options?: RequestOptions): void;
  /** Clients read this reply: a stream as text, a message, or a list of events. */
  toBeLegalReply(): void;
}

declare module "vitest" {
  interface Matchers<T = any> extends LegalMatchers {}
}

/**
 * `test` with `claudeMock`: a mock of the Messages API for one test, which the environment names to SDKs. The test fails
 * where a request was not legal, or lost something of the one that it continues. Tests that run at the same time in one
 * file share the environment, so take `claudeMock.url` there.
 */
export const test: TestAPI<{ claudeMock: Mock }>;
export const it: typeof test;
