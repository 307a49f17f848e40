/** HTTP as any client speaks it. The suite takes nothing from src/, so that the specification alone decides. */
import { randomUUID } from "node:crypto";
import { Agent, fetch } from "undici";
import type { Json } from "../support/api.ts";

export type Answer = { status: number; body: Json; text: string; headers: Headers };

export type Options = {
  key?: string | undefined;
  body?: unknown;
  /** Raw body, instead of `body`. */
  raw?: string;
  /** A POST gets a new one by default; null sends none. */
  idempotencyKey?: string | null;
  headers?: Record<string, string>;
  /** The caller's address. */
  from?: string;
};

export type Call = (method: string, path: string, options?: Options) => Promise<Answer>;

const agents = new Map<string, Agent>();

function agentAt(localAddress: string): Agent {
  const agent = agents.get(localAddress) ?? new Agent({ connections: 20, localAddress });
  agents.set(localAddress, agent);
  return agent;
}

export async function closeAgents(): Promise<void> {
  await Promise.all([...agents.values()].map((agent) => agent.destroy()));
  agents.clear();
}

let addresses = 0;

/** Another address of loopback, with an unused bucket of refusals. Linux accepts all of 127.0.0.0/8. */
export function anAddress(): string {
  addresses += 1;
  return `127.1.${addresses >> 8}.${addresses & 255}`;
}

export function callerAt(baseUrl: string): Call {
  return async (method, path, { key, body, raw, idempotencyKey, headers = {}, from = "127.0.0.1" } = {}) => {
    const sent: Record<string, string> = { accept: "application/json", ...headers };
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    if (payload !== undefined) sent["content-type"] ??= "application/json";
    if (key) sent.authorization = `Bearer ${key}`;
    if (method === "POST" && idempotencyKey !== null) sent["idempotency-key"] = idempotencyKey ?? randomUUID();
    const send = () =>
      fetch(`${baseUrl}${path}`, { method, headers: sent, body: payload ?? null, dispatcher: agentAt(from) });
    let response = await send();
    for (let times = 0; response.status === 503 && times < 20; times += 1) {
      await response.text();
      await new Promise((resolve) => setTimeout(resolve, 100)); // the pause of a client, which repeats a 503 on a busy machine
      response = await send();
    }
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const answerHeaders = new Headers([...response.headers]);
    return { status: response.status, body: isJson && text ? JSON.parse(text) : {}, text, headers: answerHeaders };
  };
}

const messages = new Map<string, string>();

/** A refusal has one shape: a fixed sentence per code, the request id of the header, and details for invalid_request alone. */
export function expectRefused(answer: Answer, status: number, code: string, paths?: string[]): void {
  expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  const { message, requestId, details, ...rest } = answer.body.error;
  expect([Object.keys(answer.body), rest]).toEqual([["error"], { code }]);
  expect(requestId).toBe(answer.headers.get("x-request-id"));
  expect(message).toBe(messages.get(code) ?? message);
  messages.set(code, message);
  if (code === "invalid_request") {
    for (const each of details) expect(each).toEqual({ path: expect.any(String), message: expect.any(String) });
    if (paths) expect(details.map(({ path }: Json) => path)).toEqual(paths);
  } else expect(details).toBeUndefined();
  expect(answer.headers.get("retry-after")).toBe(code === "rate_limited" ? "60" : null);
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
}

/** The body of a success. */
export function expectSuccess(answer: Answer, status = 200): Json {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 500)}`);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(answer.headers.get("x-request-id")).toMatch(/^\S+$/);
  return answer.body;
}

/** How many of the calls have each status. */
export function countsOf(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export const manyTimes = (count: number, call: (number: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => call(number)));

export const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
