/** Fixture that sends hostile requests and checks each response. */
import { randomUUID } from "node:crypto";
import { Agent } from "undici";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { type Documented, readDocument } from "../contract/document.ts";
import { type ContractFixture, makeContractFixture } from "../contract/fixture.ts";
import { type Written, watchWrites } from "../contract/write-watch.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { type Json, type Reply, type TestApi, testApi, unlimitedBuckets } from "../support/api.ts";
import { makeExecutor, setLimits, type TestDatabase, testDatabase } from "../support/database.ts";
import { eventsIn } from "../support/event-stream.ts";
import type { Ids } from "./fuzz-requests.ts";
import { canaries } from "./fuzz-values.ts";

export type HostileRequest = {
  method: string;
  path: string;
  /** Sent with a new Idempotency-Key, unless the headers have one or null. */
  headers: Record<string, string | null>;
  body: string | Buffer | undefined;
};

/** Summary of the responses to a batch of requests. */
export type Judged = {
  replies: Reply<Json>[];
  /** Violations, one sentence each. */
  faults: string[];
};

export type Fixture = {
  db: TestDatabase;
  api: TestApi;
  organisation: ContractFixture;
  ids: Ids;
  count: { sent: number; refused: number; accepted: number };
  /** The example body of the operation, with ids of existing rows. A new organisation gets a new owner address. */
  bodyOf(operation: Operation): Promise<Json | undefined>;
  /** Sends all requests at once; checks each response, and the writes of the whole batch. */
  sendAll(operation: Operation, requests: HostileRequest[]): Promise<Judged>;
  /** Returns the writes since the previous call. */
  written(): Promise<Written>;
  close(): Promise<void>;
};

const documented = new Map(
  readDocument(openApiDocument("http://127.0.0.1:3000")).operations.map((operation) => [operation.id, operation]),
);

/** @throws Error when the document lacks it */
export function describedOf({ name }: Operation): Documented {
  const described = documented.get(name);
  if (!described) throw new Error(`The document lacks ${name}.`);
  return described;
}

/** Requests at a time. */
export const together = 8;
const unlimited = 1e9;

/** @param settings environment variables in addition to the required ones */
export async function openFixture(settings: Record<string, string> = {}): Promise<Fixture> {
  const db = await testDatabase();
  const api = await testApi(db, settings, unlimitedBuckets());
  const agent = new Agent({ connections: together });
  await makeExecutor(db);
  const organisation = await makeContractFixture(db, api);
  await setLimits(db, organisation.organisationId, {
    liveKeys: unlimited,
    liveWebhooks: unlimited,
    runStartsPerHour: unlimited,
    openInvitations: unlimited,
    seats: unlimited,
    liveRoutines: unlimited,
    liveHooks: unlimited,
  });
  const other = await makeContractFixture(db, api);
  const ids = await idsOf(organisation, await other.row("bot"));
  const watch = await watchWrites(db);
  const count: Fixture["count"] = { sent: 0, refused: 0, accepted: 0 };

  async function send(operation: Operation, { method, path, headers, body }: HostileRequest): Promise<Reply<Json>> {
    const platform = operation.keyClass === "platform";
    const usual: HostileRequest["headers"] = {
      authorization: `Bearer ${organisation.keyFor({ platform } as Parameters<ContractFixture["keyFor"]>[0])}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(method === "POST" ? { "idempotency-key": randomUUID() } : {}),
    };
    const given = Object.entries({ ...usual, ...headers }).filter((each): each is [string, string] => each[1] !== null);
    const answer = await agent.request({
      origin: api.url,
      path: `/api/v1${path}`,
      method: method as "GET",
      headers: Object.fromEntries(given),
      body: body ?? null,
    });
    const text = await answer.body.text();
    count.sent += 1;
    return {
      status: answer.statusCode,
      text,
      body: answer.headers["content-type"] === "text/event-stream" ? eventsIn(text) : JSON.parse(text),
      headers: new Headers(answer.headers as Record<string, string>),
    };
  }

  /** Checks the response against the contract. Returns whether the call may have written rows. */
  function judge(operation: Operation, reply: Reply<Json>): boolean {
    if (reply.status >= 400) {
      expectRefusal(reply, reply.body.error.code);
      judgeRefusal(reply.body, JSON.stringify([reply.text, ...reply.headers]));
      return false;
    }
    const { results } = expectAnswer(operation.name, reply);
    count.accepted += 1;
    if (operation.name !== "batch") return operation.method !== "get";
    const refused = results.filter(({ status }: Json) => status >= 400);
    for (const { body } of refused) judgeRefusal(body, JSON.stringify(body));
    return refused.length < results.length;
  }

  function judgeRefusal({ error }: Json, shown: string): void {
    expect(["internal", "unavailable", "rate_limited"]).not.toContain(error.code);
    for (const canary of Object.values(canaries)) expect(shown.toLowerCase()).not.toContain(canary);
    expect(shown).toMatch(/^[\x20-\x7e]*$/); // our messages are ASCII; most hostile texts are not
    count.refused += 1;
  }

  return {
    db,
    api,
    organisation,
    ids,
    count,
    written: watch.since,
    async bodyOf(operation) {
      const described = describedOf(operation);
      await organisation.prepare(described);
      const body = await organisation.example(described);
      return body?.owner ? { ...body, owner: { ...body.owner, email: `${randomUUID()}@example.test` } } : body;
    },
    async sendAll(operation, requests) {
      const faults: string[] = [];
      const replies = await Promise.all(requests.map((request) => send(operation, request)));
      const { byRequest } = await watch.since();
      for (const [place, reply] of replies.entries()) {
        const fault = (what: string) => faults.push(`${operation.name} ${shownOf(requests[place])}: ${what}`);
        const requestId = reply.headers.get("x-request-id") ?? "";
        try {
          const tables = byRequest.get(requestId);
          if (!judge(operation, reply) && tables) fault(`it was to write nothing, and wrote to ${tables}`);
        } catch (error) {
          fault((error as Error).message.slice(0, 400));
        }
        byRequest.delete(requestId);
      }
      for (const tables of byRequest.values()) faults.push(`${operation.name}: none of the calls wrote to ${tables}`);
      return { replies, faults };
    },
    async close() {
      await agent.close();
      await api.stop();
      await db.drop();
    },
  };
}

const shownOf = (request: HostileRequest | undefined): string =>
  JSON.stringify({ ...request, body: request?.body?.toString() }).slice(0, 300);

/** A row of each kind, by the first part of its path. */
export async function rowsOf(organisation: ContractFixture): Promise<Record<string, string>> {
  const kinds = {
    keys: "key",
    bots: "bot",
    memories: "memory",
    runs: "run",
    approvals: "approval",
    routines: "routine",
    hooks: "hook",
    webhooks: "webhook",
    deliveries: "delivery",
    members: "member",
    invitations: "invitation",
    "portal-sessions": "portalSession",
    exports: "export",
    platform: "organisation",
    audit: "auditEntry",
  } as const;
  const rows: Record<string, string> = {};
  for (const [path, kind] of Object.entries(kinds)) rows[path] = await organisation.row(kind);
  return rows;
}

async function idsOf(organisation: ContractFixture, foreign: string): Promise<Ids> {
  const { created } = organisation;
  const bot = await created("/bots", { name: "Changed by any caller" });
  const run = await created("/runs", { botId: bot, message: "Hello" });
  await organisation.as("POST", `/runs/${run}/cancel`); // no later request waits for it
  return {
    own: { ...(await rowsOf(organisation)), bots: bot, runs: run },
    foreign,
    bot: await created("/bots", { name: "Ada" }),
  };
}
