/** A call of each operation that writes, all about the same rows of one organisation. */
import { createHash, hash } from "node:crypto";
import { validateBatch } from "../../../src/api/batch.ts";
import { bodyOf } from "../../../src/api/body.ts";
import type { Request } from "../../../src/api/request.ts";
import { validate } from "../../../src/api/stages/validate.ts";
import type { Operation } from "../../../src/contract/operation.ts";
import { operations, pageOperations } from "../../../src/contract/operations.ts";
import { digestOf } from "../../../src/secrets/credentials.ts";
import type { Json } from "../../support/api.ts";
import { client, digestFor, documented, type Fixture } from "./fixture.ts";
import type { Call } from "./scheduler.ts";

const handle = "select api.handle($1, $2, $3, $4, $5, $6, $7, $8, false)";

type Sent = {
  credential: Buffer;
  id?: string | undefined;
  body?: Json;
  /** Part of the call's name, if an operation has several. */
  about?: string | undefined;
};

/** Which of two calls of an operation. They have other bodies, secrets and Idempotency-Keys. */
export type Side = "a" | "b";

/** The statement that the API sends for this request. */
function apiCall({ db }: Fixture, operation: Operation, side: Side, { credential, id, body = {}, about }: Sent): Call {
  const { name, path, method } = operation;
  const request = {
    ...{ operation, path, body: bodyOf(body), query: new URLSearchParams(), members: [] },
    params: id ? { [path.match(/\{(\w+)\}/)?.[1] ?? ""]: id } : {},
  } as unknown as Request;
  const settings = {
    allowed: { ranges: [], hosts: [] },
    hasDirectory: false,
    master: db.key,
    portalUrl: "http://127.0.0.1",
  };
  (operation.isBatch ? validateBatch : validate)(request, settings);
  if (request.problem) throw new Error(`${name}: ${JSON.stringify(request.problem)}`);
  // The database uses a planned firing for five seconds only.
  const input = { ...request.input, ...("plannedAt" in (request.input ?? {}) && { plannedAt: new Date(0) }) };
  const digest = hash("sha256", `${name} ${about} ${side}`, "buffer");
  const idempotency = operation.needsIdempotencyKey && method === "post" ? digest : null;
  const sealed = request.members.length > 0 ? digest : null;
  return {
    name: about ? `${name} of ${about}` : name,
    role: "server",
    text: handle,
    values: [credential, name, JSON.stringify(input), null, requestIdOf(digest), idempotency, idempotency, sealed],
  };
}

const requestIdOf = (digest: Buffer): string =>
  createHash("md5")
    .update(digest)
    .digest("hex")
    .replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/** Bodies of the first and second of two calls, where another value of the same field, or another field, matters. */
const bodies: Record<string, [a?: Json, b?: Json]> = {
  rename_organisation: [undefined, { name: "Harbour Brothers" }],
  update_key: [undefined, { name: "Renamed" }],
  update_bot: [undefined, { name: "Renamed" }],
  update_memory: [undefined, { value: "It is shallow." }],
  update_routine: [undefined, { state: "paused" }],
  update_hook: [{ name: "Renamed" }, { state: "paused" }],
  update_webhook: [{ description: "Changed" }, { state: "paused" }],
  create_audit_stream: [{ url: "https://siem.example/a" }, { url: "https://siem.example/b" }],
  update_audit_stream: [{ format: "ocsf" }, { state: "paused" }],
  change_member: [{ role: "member" }, { role: "member" }],
  erase_memories: [
    { subjectKind: "organisation", subject: "Harbour" },
    { subjectKind: "organisation", subject: "Harbour" },
  ],
};

/** The rows that an operation is about and whose key it has, if they are not in its example. */
async function aboutOf(
  { organisation, other, people, runs, approval, failedDelivery }: Fixture,
  { name }: Operation,
  side: Side,
) {
  const owner = { id: await organisation.row("owner"), key: organisation.admin };
  const [mine, theirs] = side === "a" ? [owner, other] : [other, owner];
  const special: Record<string, Record<string, { id?: string; key: string }>> = {
    cancel_run: {
      queued: { id: runs.queued, key: owner.key },
      running: { id: runs.running, key: owner.key },
      blocked: { id: runs.blocked, key: owner.key },
    },
    resume_run: { "": { id: runs.blocked, key: people.blocked.key } },
    retry_run: { "": { id: runs.ended, key: people.ended.key } },
    change_member: { "": { id: theirs.id, key: mine.key } },
    remove_member: { "": { id: theirs.id, key: mine.key } },
    resend_approval: { "": { id: approval, key: other.key } },
    redeliver: { "": { id: failedDelivery, key: owner.key } },
    start_run: { owner: { key: owner.key }, other: { key: other.key }, newcomer: { key: people.newcomer.key } },
  };
  return special[name];
}

/** The calls of the contract and of pages. */
export async function apiCalls(fixture: Fixture, side: Side): Promise<Call[]> {
  const calls: Call[] = [];
  for (const operation of operations.filter(({ method }) => method !== "get")) {
    const described = documented.get(operation.name);
    if (!described) throw new Error(`The document lacks ${operation.name}.`);
    const { organisation } = fixture;
    const body = bodies[operation.name]?.[side === "a" ? 0 : 1] ?? (await organisation.example(described));
    const abouts = (await aboutOf(fixture, operation, side)) ?? {
      "": { id: (await organisation.pathId(described)) || undefined, key: organisation.keyFor(described) },
    };
    for (const [about, { id, key }] of Object.entries(abouts)) {
      calls.push(apiCall(fixture, operation, side, { credential: digestOf(key), id, body, about }));
    }
  }
  return [...calls, ...pageCalls(fixture, side)];
}

/** Calls with the credentials of mailed links, of the portal, of its clients, and of hooks. */
function pageCalls(fixture: Fixture, side: Side): Call[] {
  const { clientId, redirectUri, resource, codeVerifier } = client;
  const posted = {
    message: "A ship has arrived.",
    ...{ signedDigest: hexFor("signed"), deliveryDigest: hexFor("delivery"), bodyDigest: hexFor("body") },
  };
  const requests: [name: string, credential: Buffer, body?: Json, about?: string][] = [
    ["open_portal", digestFor("link"), { sessionDigest: hexFor(`session ${side}`) }],
    ["accept_invitation", digestFor("invitation"), { displayName: "Nora" }],
    ["answer_approval", digestFor("approval"), { answer: side === "a" ? "approved" : "refused" }],
    ["receive_hook", digestFor("hook"), posted],
    ["receive_hook", digestFor("hook of the newcomer"), posted, "newcomer"],
    ["revoke_own_key", digestOf(fixture.other.key)],
    ["end_own_portal_session", digestFor("session")],
    [
      "create_authorization_code",
      digestFor("session"),
      {
        ...{ clientId, redirectUri, resource, keyName: "Client", scope: "read", expiresInDays: 30 },
        ...{ codeChallenge: "c".repeat(43), codeDigest: hexFor(`code ${side}`) },
      },
    ],
    [
      "exchange_authorization_code",
      digestFor("code"),
      { clientId, redirectUri, resource, codeVerifier, prefix: "bsk_00000000", digest: hexFor(`key ${side}`) },
    ],
  ];
  return requests.map(([name, credential, body, about]) => {
    const operation = pageOperations.find((each) => each.name === name);
    if (!operation) throw new Error(`There is no operation ${name}.`);
    return apiCall(fixture, operation, side, { credential, body, about });
  });
}

const hexFor = (name: string): string => digestFor(name).toString("hex");
