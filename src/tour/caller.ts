/**
 * The tour's way to the API: plain HTTP, as any script would speak it.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { asTold, NotPossible } from "./teller.ts";

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is for the steps to say
export type Body = any;

export type Reply = { status: number; headers: Headers; text: string; body: Body };

export type Caller = {
  /** Sends one request, with an Idempotency-Key of its own if it is a POST and none is given. */
  send(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Reply>;
  /** The same for an answer that has to have this status. @throws NotAsTold */
  expect(status: number, method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Reply>;
};

export function makeCaller(apiUrl: string, key: string): Caller {
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
      asTold(reply.status === status, `${method} ${path} answers ${status}`, reply.body);
      return reply;
    },
  };
}

/** @throws NotPossible when nobody answers there, or not everything behind it is ready. */
export async function requireServer(baseUrl: string): Promise<void> {
  const ready = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
  if (!ready) {
    throw new NotPossible(
      `No server answers at ${baseUrl}. Start one in another terminal with "npm start", and give the tour the same settings.`,
    );
  }
  if (!ready.ok) throw new NotPossible(`The server at ${baseUrl} is not ready: ${await ready.text()}`);
}

/** Asks until there is an answer that is not undefined. @throws NotAsTold when there is none within 20 s. */
export async function until<T>(told: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 20_000; ; await sleep(100)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    asTold(Date.now() < end, told, "nothing within 20 seconds");
  }
}
