/** A minimal client of the API over plain HTTP. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expectThat } from "./report.ts";

// biome-ignore lint/suspicious/noExplicitAny: the steps know the shape of each response
export type Body = any;

export type Reply = { status: number; headers: Headers; text: string; body: Body };

export type ApiClient = {
  /** Sends a request. A POST gets a random Idempotency-Key by default. */
  send(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Reply>;
  /** The same. @throws UnexpectedResult unless the response has this status */
  expect(status: number, method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Reply>;
};

export function makeApiClient(apiUrl: string, key: string): ApiClient {
  async function send(method: string, path: string, body?: unknown, idempotencyKey: string = randomUUID()) {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(method === "POST" ? { "idempotency-key": idempotencyKey } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Body };
  }
  return {
    send,
    async expect(status, method, path, body, idempotencyKey) {
      const reply = await send(method, path, body, idempotencyKey);
      expectThat(reply.status === status, `${method} ${path} answers ${status}`, reply.body);
      return reply;
    },
  };
}

/** Polls until the result is not undefined. @throws UnexpectedResult after 20 seconds */
export async function until<T>(expectation: string, poll: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 20_000; ; await sleep(100)) {
    const result = await poll();
    if (result !== undefined) return result;
    expectThat(Date.now() < end, expectation, "nothing within 20 seconds");
  }
}
