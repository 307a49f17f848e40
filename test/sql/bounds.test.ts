/**
 * The bounds of the contract below the API process: `server`, the login of the API, calls api.handle itself. The values
 * derive from the contract, so that new fields are included. (docs/decisions/0007-calls-and-refusals.md)
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import type { Pool } from "pg";
import type { z } from "zod";
import { bodyOf } from "../../src/api/body.ts";
import { validateInput } from "../../src/api/stages/validate.ts";
import { changes, text } from "../../src/contract/fields.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { isSchedule } from "../../src/routines/cron.ts";
import { watchWrites } from "../contract/write-watch.ts";
import type { Schema } from "../hostile/fuzz-json.ts";
import { placesOf, withValue } from "../hostile/places.ts";
import { type Caller, type Member, ownApiOfFile } from "../support/callers.ts";
import { absent, requestOf } from "../support/requests.ts";

const here = ownApiOfFile();
let server: Pool;
let written: Awaited<ReturnType<typeof watchWrites>>;
let ada: Member;
let platform: Caller;

beforeAll(async () => {
  server = here.db.poolAs("server");
  [ada, platform] = [await here.owner(), await here.platform()];
  written = await watchWrites(here.db);
});

const sha256 = (text: string) => createHash("sha256").update(text).digest();
const hex = () => randomBytes(32).toString("hex");

type Outcome = { status?: number; refusal?: string; details?: { path: string }[] };

async function call(
  operation: Operation,
  input: object,
  idempotency: Buffer | null = sha256(randomUUID()),
): Promise<Outcome> {
  const { key } = operation.keyClass === "platform" ? platform : ada;
  const keyed = operation.needsIdempotencyKey ? [idempotency, idempotency && sha256("")] : [null, null];
  const { rows } = await server.query<{ answer: string }>(
    "select api.handle($1, $2, $3, null, uuidv7(), $4, $5, null) as answer",
    [key.digest, operation.name, JSON.stringify(input), ...keyed],
  );
  return JSON.parse(rows[0]?.answer.split("\n")[0] ?? "");
}

/** The input of a valid request, as the API passes it on, with secrets. */
function inputOf(operation: Operation): Record<string, unknown> {
  const { body } = requestOf(operation);
  const params = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, absent]));
  const { input, problem } = validateInput(
    {
      operation,
      params,
      path: operation.path,
      query: new URLSearchParams(),
      body: bodyOf(body ?? {}),
    },
    { allowed: { ranges: [], hosts: [] }, hasDirectory: false },
  );
  if (!input) throw new Error(`${operation.name}: ${JSON.stringify(problem)}`);
  const secrets = {
    prefix: "bsk_12345678",
    digest: hex(),
    secretSealed: hex(),
    secretDigest: hex(),
    tokenDigest: hex(),
    tokenSealed: hex(),
    linkDigest: hex(),
  };
  const batched = { operations: [{ operation: "list_bots", input: { limit: 1 } }] };
  return { ...input, ...secrets, ...(operation.name === "batch" ? batched : {}) };
}

/** Values just outside of each bound of a field. */
function outside({
  type,
  anyOf,
  enum: values,
  format,
  minLength,
  maxLength,
  minimum,
  maximum,
  minItems,
  maxItems,
}: Schema): unknown[] {
  if (anyOf) return outside(anyOf.find((each: Schema) => each.type !== "null") ?? {});
  return [
    { unexpected: true },
    ...(type === "string" ? [7, ["a"]] : ["a"]),
    ...(values ? ["nonsense", ""] : []),
    ...(["uuid", "date-time", "email"].includes(format) ? ["nonsense", "1999"] : []),
    ...(format === "uri" ? ["nonsense", "javascript:alert(1)", "ftp://receiver.example/"] : []),
    ...(minLength > 0 ? ["x".repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1)]),
    ...(minimum === undefined ? [] : [minimum - 1, minimum - 0.001]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum + 0.001]),
    ...(type === "integer" ? [1.5] : []),
    ...(minItems > 0 ? [[]] : []),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill(null)]),
  ].filter((value) => !(type === "object" && typeof value === "object" && !Array.isArray(value)));
}

const writes = operations.filter(({ method }) => method !== "get");
const places = writes
  .flatMap(placesOf)
  .filter(({ part, operation, at }) => part === "body" && (operation.name !== "batch" || at.length === 1));

test("api.handle accepts the valid input of each write as far as its bounds", async () => {
  for (const operation of writes) {
    const { refusal } = await call(operation, inputOf(operation));
    expect([operation.name, refusal]).not.toEqual([operation.name, "invalid_request"]);
  }
  expect(places.length).toBeGreaterThan(60);
});

test("api.handle refuses each field of each write just outside of its bounds, and writes no row", async () => {
  const accepted: string[] = [];
  await written.since();
  for (const { operation, at, schema } of places) {
    for (const value of outside(schema)) {
      const { refusal } = await call(operation, withValue(inputOf(operation), at, value) as object);
      if (refusal !== "invalid_request")
        accepted.push(`${operation.name} ${at.join(".")} ${JSON.stringify(value).slice(0, 60)}: ${refusal}`);
    }
  }
  expect(accepted).toEqual([]);
  expect((await written.since()).tables).toBeNull();
});

test("api.handle refuses a write without a required field, or a PATCH without any, and writes no row", async () => {
  const accepted: string[] = [];
  await written.since();
  for (const operation of writes.filter(({ body }) => body)) {
    const { input, ids } = { input: inputOf(operation), ids: operation.path.match(/\w+(?=\})/g) ?? [] };
    const isOptional = ["create_portal_session"].includes(operation.name); // each field has a default or is optional
    const rest = Object.fromEntries(ids.map((id) => [id, input[id]]));
    const { refusal } = await call(operation, isOptional ? {} : rest);
    if (refusal !== "invalid_request") accepted.push(`${operation.name}: ${refusal}`);
  }
  expect(accepted).toEqual([]);
  expect((await written.since()).tables).toBeNull();
});

test.each([
  ["without a digest of an Idempotency-Key", null],
  ["with a digest of 31 bytes", randomBytes(31)],
  ["with an empty digest", Buffer.alloc(0)],
])("api.handle refuses each POST %s, and writes no row", async (_form, idempotency) => {
  await written.since();
  for (const operation of writes.filter((operation) => operation.needsIdempotencyKey)) {
    const outcome = await call(operation, inputOf(operation), idempotency);
    expect([operation.name, outcome.refusal, outcome.details?.[0]?.path]).toEqual([
      operation.name,
      "invalid_request",
      "headers.idempotency-key",
    ]);
  }
  expect((await written.since()).tables).toBeNull();
});

const memory = {
  ...{
    externalId: "1",
    scope: "organisation",
    kind: "policy",
    subject: "Hours",
    subjectKind: "organisation",
    value: "Nine",
  },
  ...{ confidence: 1, lawfulBasis: "consent" },
};

/** Values that a refinement of the contract refuses, by the name of the field. */
const refused: Record<string, unknown[]> = {
  metadata: [
    ...["order", ["order"], { "": "x" }, { "a b": "x" }, { ["k".repeat(41)]: "x" }, { order: 4711 }, { order: null }],
    ...[{ order: "x".repeat(501) }, JSON.parse('{"__proto__":"x"}')],
    Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`key-${n}`, ""])),
  ],
  startAt: ["infinity", "tomorrow", "2026-11-30", "2026-11-30T25:00:00Z"],
  name: ["www.receiver.example", "https://receiver.example", "\u200b", "line\nbreak", "\u202eright"],
  displayName: ["www.receiver.example", "https://receiver.example", "\u200b", "line\nbreak", "\u202eright"],
  description: ["\u0007", "\u202eright"],
  email: [
    "nonsense",
    "a@b",
    "a b@receiver.example",
    "a@receiver..example",
    "a@-receiver.example",
    "a..b@receiver.example",
  ],
  url: [
    "http://receiver.example/",
    "https://",
    "https:///hook",
    "https://a@receiver.example/",
    "https://receiver.example\\@other.example/",
    "https://receiver.example/#part",
    "https://receiver.example:0/",
    "https://receiver.example:65536/",
    "https://receiver.example:0099999/",
    "https://[2606:4700::1]:70000/",
    "https://receiver.example:99999999/",
    "https://receiver..example/",
    "https://receiver_.example/",
    "https://%31%30.0.0.1/",
    "https://[::1/",
    "https://[nonsense]/",
    "https://receiver.example /",
    "https://receiver.example/\n",
    `https://${"a".repeat(64)}.example/`,
  ],
  schedule: ["99 9 * * *", "* * * * * *", "0 9 31 2 *", "0 9 * *", "@daily    ", "0 9 * * MON#2", "5/15 * * * *"],
  validFrom: ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-01:00", "2026-02-30T00:00:00Z"],
  validTo: ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-01:00", "2026-02-30T00:00:00Z"],
  since: ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-01:00"],
  until: ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-01:00"],
  sections: [["bots", "bots"]],
  memories: [[memory, memory]],
  externalId: [null], // without an id
  userId: [absent], // beside another personId
  botId: [absent], // of a memory of scope organisation
  allowedIps: [
    ["nonsense"],
    [""],
    ["10/8"],
    ["10.0.0.1"],
    ["10.0.0.1/8"],
    ["10.0.0.0/33"],
    ["2001:db8::/129"],
    ["2001:db8::1/32"],
    ["::ffff:10.0.0.0/104"],
    ["10.0.0.0/8 "],
    ["10.0.0.0/8", "nonsense"],
    [null],
  ],
};

/** Refinements that SQL does not check: the record has the reason for time zones. SQL stores each element of a list once. */
const notRefused = ["timeZone", "events", "botIds", "runStates"];

type Definition = {
  type: string;
  checks?: { _zod: { def: { check: string; fn?: unknown; path?: string[] } } }[];
} & Record<"innerType" | "in" | "out" | "element", z.core.$ZodType> & { shape: Record<string, z.core.$ZodType> };

const customChecks = (schema: z.core.$ZodType) =>
  ((schema._zod.def as unknown as Definition).checks ?? []).filter(({ _zod }) => _zod.def.check === "custom");

/** Lengths and the members of a PATCH have tests of their own. */
const ownTests = [text(1, 2), changes({})].flatMap(customChecks).map(({ _zod }) => String(_zod.def.fn));

/** The places with a rule that is no bound: a refinement, or a transformation, which can refuse too. */
function refinedFields(schema: z.core.$ZodType, at: string[] = []): string[][] {
  const { type, innerType, in: before, out: after, element, shape } = schema._zod.def as unknown as Definition;
  const own = customChecks(schema)
    .filter(({ _zod }) => !ownTests.includes(String(_zod.def.fn)))
    .map(({ _zod }) => [...at, ...(_zod.def.path ?? [])]);
  if (type === "pipe") return [...own, ...refinedFields(before, at), ...refinedFields(after, at)];
  if (type === "transform") return [...own, at];
  if (type === "array") {
    const isOfObjects = (element._zod.def as unknown as Definition).type === "object";
    return [...own, ...refinedFields(element, isOfObjects ? [...at, "0"] : at)];
  }
  if (type === "object")
    return [...own, ...Object.entries(shape).flatMap(([name, each]) => refinedFields(each, [...at, name]))];
  return innerType ? [...own, ...refinedFields(innerType, at)] : own;
}

const refinements = writes
  .filter(({ name }) => name !== "batch") // its operations come as names and inputs
  .flatMap((operation) => {
    const fields = operation.body ? refinedFields(operation.body).map((at) => at.join(".")) : [];
    return [...new Set(fields)].map((field) => ({
      operation,
      at: field.split("."),
      name: field.split(".").at(-1) ?? "",
    }));
  });

test("each refined field of a write has values that api.handle must refuse", () => {
  const names = new Set(refinements.map(({ name }) => name));
  expect([...names].toSorted()).toEqual([...Object.keys(refused), ...notRefused].toSorted());
});

/** Inputs beside which a refined field decides, of rows that exist. */
async function besides(): Promise<Record<string, object>> {
  const idOf = async (path: string, body: object) => ({ id: (await ada.post(path, body)).body.id as string });
  const botId = (await idOf("/bots", { name: "Ada" })).id;
  await ada.post("/audit/stream", { url: "https://siem.example/" });
  const owner = { email: `besides.${randomUUID()}@example.test` };
  return {
    create_owner_key: { id: (await platform.post("/platform/organisations", { name: "Harbour", owner })).body.id },
    rotate_key: await idOf("/keys", { name: "CI" }),
    create_routine: { botId },
    create_hook: { botId },
    create_portal_session: { personId: ada.organisation.ownerId },
    update_key: { id: ada.key.id },
    update_bot: { id: botId },
    update_memory: await idOf("/memories", { scope: "organisation", kind: "note", subject: "Tea", value: "Green" }),
    update_webhook: await idOf("/webhooks", { url: "https://receiver.example/", events: ["run.finished"] }),
    update_routine: await idOf("/routines", { botId, name: "Daily", schedule: "0 9 * * *", message: "Hello" }),
    update_hook: await idOf("/hooks", { botId, name: "Alerts" }),
  };
}

test("api.handle refuses what a refinement of the contract refuses, and writes no row", async () => {
  const beside = await besides();
  const accepted: string[] = [];
  await written.since();
  for (const { operation, at, name } of refinements) {
    for (const value of refused[name] ?? []) {
      const input = { ...inputOf(operation), ...beside[operation.name] };
      const { refusal } = await call(operation, withValue(input, at, value) as object);
      if (refusal !== "invalid_request")
        accepted.push(`${operation.name} ${at.join(".")} ${JSON.stringify(value)}: ${refusal}`);
    }
  }
  expect(accepted).toEqual([]);
  expect((await written.since()).tables).toBeNull();
});

test("api.handle refuses secrets without their digest or prefix, and writes no row", async () => {
  const beside = await besides();
  const digests = ["digest", "secretDigest", "linkDigest", "tokenDigest"];
  const accepted: string[] = [];
  await written.since();
  for (const operation of writes.filter(({ secret }) => secret)) {
    const input = { ...inputOf(operation), ...beside[operation.name] };
    const values = [undefined, "", "nonsense", hex().slice(2), `${hex()}00`];
    const faults: object[] = values.map((value) => Object.fromEntries(digests.map((name) => [name, value])));
    const prefixes = operation.secret === "api-key" ? ["zzz_12345678", "bsp_12345678", "bsk_1234567!"] : [];
    for (const fault of [...faults, ...prefixes.map((prefix) => ({ prefix }))]) {
      const { refusal } = await call(operation, { ...input, ...fault });
      if (refusal !== "invalid_request") accepted.push(`${operation.name} ${JSON.stringify(fault)}: ${refusal}`);
    }
  }
  expect(accepted).toEqual([]);
  expect((await written.since()).tables).toBeNull();
});

test.each([
  ["api_keys", "bsp_12345678"],
  ["platform_keys", "bsk_12345678"],
])("no login stores a row of %s with the prefix %s", async (table, prefix) => {
  const change = here.db.sql(`update app.${table} set prefix = $1 where id = $2`, [
    prefix,
    table === "api_keys" ? ada.key.id : platform.key.id,
  ]);
  await expect(change).rejects.toThrow();
});

test("api.handle stores each event, bot and state of an endpoint once, in the first order", async () => {
  const [create] = writes.filter(({ name }) => name === "create_webhook");
  if (!create) throw new Error("There is no create_webhook.");
  const url = "https://receiver.example/once";
  const events = ["run.finished", "approval.needed", "run.finished"];
  await call(create, {
    ...inputOf(create),
    url,
    events,
    botIds: [absent, absent],
    runStates: ["failed", "blocked", "failed"],
  });
  const rows = await here.db.sql(
    "select events::text[], bot_ids::text[] as bots, run_states::text[] as states from app.webhook_endpoints where url = $1",
    [url],
  );
  expect(rows).toEqual([
    { events: ["run.finished", "approval.needed"], bots: [absent], states: ["failed", "blocked"] },
  ]);
});

test("times.is_schedule accepts the schedules that the contract accepts", async () => {
  const number = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 13 }) }, fc.integer({ min: 0, max: 75 }));
  const word = fc.constantFrom("jan", "FEB", "sep", "dec", "sun", "Mon", "SAT", "jul", "www", "lll");
  const value = fc.oneof(
    { weight: 6, arbitrary: number.map(String) },
    word,
    number.map((each) => `0${each}`),
  );
  const range = fc.tuple(value, value).map((each) => each.join("-"));
  const base = fc.oneof(
    { weight: 3, arbitrary: fc.constant("*") },
    { weight: 4, arbitrary: value },
    { weight: 3, arbitrary: range },
  );
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant("") },
    number.map((each) => `/${each}`),
    fc.constant("/01"),
  );
  const rare = fc.constantFrom("", "?", "L", "15W", "MON#2", "@daily", "*-5", "**", "1-", "1-2-3", "\u0663");
  const part = fc.oneof({ weight: 30, arbitrary: fc.tuple(base, step).map((each) => each.join("")) }, rare);
  const field = fc.oneof(
    { weight: 4, arbitrary: fc.constant("*") },
    { weight: 8, arbitrary: part },
    fc.array(part, { minLength: 2, maxLength: 3 }).map((each) => each.join(",")),
  );
  const some = fc.array(field, { minLength: 5, maxLength: 5 }).map((each) => each.join(" "));
  const days = fc.tuple(part, field).map(([day, month]) => `0 9 ${day} ${month} *`);
  const other = fc.array(field, { minLength: 4, maxLength: 6 }).map((each) => each.join(" "));
  const schedules = fc.sample(fc.oneof({ weight: 4, arbitrary: some }, { weight: 4, arbitrary: days }, other), 6_000);
  const rows = await here.db.sql<{ schedule: string; accepted: boolean }>(
    "select schedule, times.is_schedule(schedule) is true as accepted from unnest($1::text[]) schedule",
    [schedules],
  );
  expect(rows.filter(({ schedule, accepted }) => accepted !== isSchedule(schedule))).toEqual([]);
  const accepted = rows.filter((row) => row.accepted).length;
  expect(Math.min(accepted, rows.length - accepted)).toBeGreaterThan(500);
});

test("api.handle answers every text in each text field, and never fails", async () => {
  const texts = [
    "nonsense",
    "",
    "-1",
    "9".repeat(40),
    "\u0001",
    "%",
    "\\",
    "{}",
    "null",
    "infinity",
    "+292278994-08-17",
  ];
  const failed: string[] = [];
  for (const { operation, at } of places.filter(({ schema }) => [schema.type, schema.items?.type].includes("string"))) {
    for (const given of texts) {
      const value = at.at(-1) === "allowedIps" ? [given] : given;
      await call(operation, withValue(inputOf(operation), at, value) as object).catch((error: Error) => {
        failed.push(`${operation.name} ${at.join(".")} ${JSON.stringify(given)}: ${error.message}`);
      });
    }
  }
  expect(failed).toEqual([]);
});

/** How long each credential may live, beyond the functions that make it. */
test.each([
  ["api_keys", "expires_at", "365 days"],
  ["platform_keys", "expires_at", "365 days"],
  ["operator_tokens", "expires_at", "365 days"],
  ["portal_sessions", "expires_at", "1 hour"],
  ["portal_sessions", "link_expires_at", "5 minutes"],
  ["authorization_codes", "expires_at", "1 minute"],
  ["approvals", "expires_at", "30 days"],
])("a row of %s cannot have an %s more than %s after its creation", async (table, column, life) => {
  const [{ definition } = { definition: "" }] = await here.db.sql<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%' || $2 || ' - created_at%'`,
    [`app.${table}`, column],
  );
  const condition = definition
    .replace(/^CHECK /, "")
    .replaceAll(column, "ends")
    .replaceAll("created_at", "begun");
  const [row] = await here.db.sql(
    `select ${condition} as is_within from (select now() as begun, now() + $1::interval as ends) row`,
    [life],
  );
  const [late] = await here.db.sql(
    `select ${condition} as is_within from (select now() as begun, now() + $1::interval + interval '2 seconds' as ends) row`,
    [life],
  );
  expect([row, late]).toEqual([{ is_within: true }, { is_within: false }]);
});

test("a key until 2040 cannot be stored, nor an invitation for eight days", async () => {
  const { id, ownerId } = ada.organisation;
  await expect(
    here.db.sql(
      `insert into app.api_keys (organisation_id, name, prefix, digest, scope, created_by, expires_at)
       values ($1, 'CI', 'bsk_01234567', sha256('2040'), 'read', $2, '2040-01-01')`,
      [id, ownerId],
    ),
  ).rejects.toMatchObject({ code: "23514" });
  await expect(
    here.db.sql(
      `insert into app.invitations (organisation_id, email, role, invited_by, token_digest, expires_at)
       values ($1, 'late@example.test', 'member', $2, sha256('late'), now() + interval '8 days')`,
      [id, ownerId],
    ),
  ).rejects.toMatchObject({ code: "23514" });
});

test("api.handle refuses operations of a batch by the same bounds, a batch within a batch, and 51 operations", async () => {
  const [batch] = writes.filter(({ name }) => name === "batch");
  const [create] = writes.filter(({ name }) => name === "create_memory");
  if (!batch || !create) throw new Error("There is no batch.");
  await written.since();
  const memory = { ...inputOf(create), value: "x".repeat(4001) };
  const { rows } = await server.query<{ answer: string }>(
    "select api.handle($1, 'batch', $2, null, uuidv7(), $3, $3, null) as answer",
    [
      ada.key.digest,
      JSON.stringify({
        atomic: false,
        operations: [
          { operation: "create_memory", input: memory },
          { operation: "create_memory", input: memory },
          { operation: "batch", input: { atomic: false, operations: [] } },
        ],
      }),
      sha256(randomUUID()),
    ],
  );
  const results = JSON.parse(rows[0]?.answer.split("\n")[1] ?? "");
  expect(results).toEqual(Array(3).fill(expect.objectContaining({ refusal: "invalid_request" })));
  const many = Array(51).fill({ operation: "list_bots", input: { limit: 1 } });
  expect(await call(batch, { atomic: false, operations: many })).toMatchObject({ refusal: "invalid_request" });
  expect((await written.since()).tables).toBeNull();
});
