/** Concurrent calls through two processes of the API, because a rule must hold across processes. */
import { randomUUID } from "node:crypto";
import { type CallOptions, type Json, type Reply, type TestApi, testApi } from "./api.ts";
import type { ApiOfFile } from "./callers.ts";

export type TwoProcesses = {
  readonly second: TestApi;
  /** Starts this many pieces of work at once, with the processes in turn. Their `call` repeats refusals by 503. */
  atOnce<T>(count: number, work: (api: TestApi, each: number) => Promise<T>): Promise<T[]>;
};

/** Starts a second process beside the process of the file, and stops it after the file's tests. */
export function twoProcesses(here: ApiOfFile): TwoProcesses {
  let second: TestApi;
  beforeAll(async () => {
    second = await testApi(here.db);
  });
  afterAll(() => second?.stop());
  return {
    get second() {
      return second;
    },
    atOnce: (count, work) =>
      Promise.all(Array.from({ length: count }, (_, each) => work(persistent(each % 2 ? second : here.api), each))),
  };
}

/** Calls under one Idempotency-Key until the response is not 503, as a client does. */
const persistent = (api: TestApi): TestApi => ({
  ...api,
  call<Body = Json>(method: string, path: string, options?: CallOptions): Promise<Reply<Body>> {
    const idempotencyKey = randomUUID();
    return untilAvailable(() => api.call<Body>(method, path, { idempotencyKey, ...options }));
  },
});

/** Repeats the call while its response is 503: on a slow machine, calls that wait for one row exceed the lock timeout. */
export async function untilAvailable<R extends { status: number }>(call: () => Promise<R>): Promise<R> {
  for (;;) {
    const reply = await call();
    if (reply.status !== 503) return reply;
  }
}
