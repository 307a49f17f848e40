/**
 * Calls of the API as one statement, `api.handle`, on one connection: for tests to which the transport adds nothing. The same
 * stages as a request validate the input and make secrets. A call answers its status, with the reason of a refusal.
 */
import { hash, randomUUID } from "node:crypto";
import type { Client } from "pg";
import { bodyOf } from "../../src/api/body.ts";
import type { Request } from "../../src/api/request.ts";
import { callHandle } from "../../src/api/stages/call.ts";
import { respond } from "../../src/api/stages/respond.ts";
import { validate } from "../../src/api/stages/validate.ts";
import { operations } from "../../src/contract/operations.ts";
import { reasonHeader } from "../../src/contract/reasons.ts";
import type { ApiPools } from "../../src/database/connections/api-pools.ts";
import type { MasterKey } from "../../src/secrets/master-key.ts";
import type { Json, TestApi } from "../support/api.ts";

export type Answer = { said: string; body: Json };
export type Call = (method: string, path: string, body?: object, key?: string) => Promise<Answer>;

const routes = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
}));

const answered = (status: number, reason: string | null | undefined, text: string): Answer => {
  const body = text === "" ? {} : JSON.parse(text);
  return { said: reason ? `${status} ${reason}` : `${status}`, body };
};

/** @param key of calls that name none */
export function callBySql(client: Client, master: MasterKey, key: string): Call {
  const query = async ({ text, name }: { text: string; name: string }, values: unknown[]) =>
    Object.values((await client.query({ text, name, values })).rows[0])[0];
  const pools = new Proxy({} as ApiPools, { get: (_, name) => (name === "replica" ? undefined : { query }) });
  return async (method, path, body = {}, bearer = key) => {
    const [way = "", query = ""] = path.split("?");
    const route = routes.find(
      ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(way),
    );
    if (!route) throw new Error(`There is no operation ${method} ${path}.`);
    const idempotencyKey = randomUUID();
    const request = {
      operation: route.operation,
      params: { ...route.pattern.exec(way)?.groups },
      path: way,
      query: new URLSearchParams(query),
      body: bodyOf({ ...body }),
      members: [],
      requestId: randomUUID(),
      ...{ bearer, idempotencyKey },
    } as unknown as Request;
    validate(request, { allowed: { ranges: [], hosts: [] }, hasDirectory: false, master, portalUrl: "" });
    const digest = method === "POST" ? hash("sha256", `${bearer} ${idempotencyKey}`, "buffer") : undefined;
    const result = await callHandle(pools, "pooled", {
      ...{ credential: hash("sha256", bearer, "buffer"), operation: route.operation, requestId: request.requestId },
      ...{
        input: request.input,
        problem: request.problem,
        idempotency: digest,
        fingerprint: digest,
        address: undefined,
      },
    });
    const answer = respond(request, result, "");
    return answered(answer.status, answer.reason, answer.body);
  };
}

/** The same over HTTP. */
export const callByHttp =
  (api: Pick<TestApi, "call">, key: string): Call =>
  async (method, path, body, bearer = key) => {
    const reply = await api.call(method, path, { key: bearer, body });
    return answered(reply.status, reply.headers.get(reasonHeader), reply.text);
  };
