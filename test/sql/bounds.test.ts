/**
 * The bounds of the contract below the API process: `server`, the login of the API, calls api.handle itself. The values
 * derive from the contract, so that new fields are included. (docs/decisions/0081-bounds-in-sql.md)
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { needsIdempotencyKey, type Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { bodyOf } from "../../src/request/body.ts";
import { validateInput } from "../../src/request/validation.ts";
import { watchWrites } from "../contract/write-watch.ts";
import type { Schema } from "../hostile/fuzz-json.ts";
import { placesOf, withValue } from "../hostile/places.ts";
import { apiOfFile, type Caller, type Member } from "../support/callers.ts";
import { absent, requestOf } from "../support/requests.ts";

const here = apiOfFile();
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
  const keyed = needsIdempotencyKey(operation) ? [idempotency, idempotency && sha256("")] : [null, null];
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
      idempotencyKey: "a",
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
  for (const operation of writes.filter(needsIdempotencyKey)) {
    const outcome = await call(operation, inputOf(operation), idempotency);
    expect([operation.name, outcome.refusal, outcome.details?.[0]?.path]).toEqual([
      operation.name,
      "invalid_request",
      "headers.idempotency-key",
    ]);
  }
  expect((await written.since()).tables).toBeNull();
});

test.each([
  "http://receiver.example/",
  "https://",
  "https:///hook",
  "https://a@receiver.example/",
  "https://receiver.example\\@other.example/",
  "https://receiver.example/#part",
  "https://receiver.example:0/",
  "https://receiver.example:99999999/",
  "https://receiver..example/",
  "https://receiver_.example/",
  "https://%31%30.0.0.1/",
  "https://[::1/",
  "https://[nonsense]/",
  "https://receiver.example /",
  "https://receiver.example/\n",
  `https://${"a".repeat(64)}.example/`,
])("api.handle refuses an endpoint with the URL %j, and writes no row", async (url) => {
  const [create] = writes.filter(({ name }) => name === "create_webhook");
  if (!create) throw new Error("There is no create_webhook.");
  await written.since();
  expect(await call(create, { ...inputOf(create), url })).toMatchObject({ refusal: "invalid_request" });
  expect((await written.since()).tables).toBeNull();
});

const keysOfAddresses = writes.filter(({ name }) => ["create_key", "update_key"].includes(name));

test.each([
  [["nonsense"]],
  [[""]],
  [["10/8"]],
  [["10.0.0.1"]],
  [["10.0.0.1/8"]],
  [["10.0.0.0/33"]],
  [["2001:db8::/129"]],
  [["2001:db8::1/32"]],
  [["::ffff:10.0.0.0/104"]],
  [["10.0.0.0/8 "]],
  [["10.0.0.0/8", "nonsense"]],
  [[null]],
])("api.handle refuses a key for the addresses %j, and writes no row", async (allowedIps) => {
  await written.since();
  for (const operation of keysOfAddresses) {
    const outcome = await call(operation, { ...inputOf(operation), id: ada.key.id, allowedIps });
    expect([operation.name, outcome]).toEqual([
      operation.name,
      expect.objectContaining({ refusal: "invalid_request" }),
    ]);
  }
  expect((await written.since()).tables).toBeNull();
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
    for (const text of texts) {
      const value = at.at(-1) === "allowedIps" ? [text] : text;
      await call(operation, withValue(inputOf(operation), at, value) as object).catch((error: Error) => {
        failed.push(`${operation.name} ${at.join(".")} ${JSON.stringify(text)}: ${error.message}`);
      });
    }
  }
  expect(failed).toEqual([]);
}, 120_000);

/** How long each credential may live, beyond the functions that make it. */
test.each([
  ["api_keys", "expires_at", "365 days"],
  ["platform_keys", "expires_at", "365 days"],
  ["operator_tokens", "expires_at", "365 days"],
  ["portal_sessions", "expires_at", "1 hour"],
  ["portal_sessions", "link_expires_at", "5 minutes"],
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
