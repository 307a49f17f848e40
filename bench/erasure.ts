/** `npm run bench -- erasure`: the time of an erasure while the organisation stores 1 GB of other idempotent responses. */
import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { urlAs } from "../src/database/urls.ts";
import { makeCredential } from "../src/secrets/credentials.ts";
import type { Data, Target } from "./data.ts";
import { median } from "./median.ts";
import { ownDatabase } from "./own-database.ts";

/** Each response answers a batch with 1,900 rows and 0.94 MB. */
const [responses, rowsEach] = [1_100, 1_900];

/** Returns a Markdown table. */
export async function measureErasure(data: Data, rounds: number): Promise<string> {
  const { url, admin } = await ownDatabase(data, "bench_erasure");
  const server = new Client({ connectionString: urlAs("server", url, data.key) });
  try {
    await server.connect();
    const target = await createOrganisation(admin);
    const without = await erasures(server, target, rounds);
    await fill(admin, target);
    const [stored] = (
      await admin.query<{ gb: number }>(
        `select sum(octet_length(body)) / 1073741824.0 as gb from app.idempotency_records where organisation_id = $1`,
        [target.organisationId],
      )
    ).rows;
    const withResponses = await erasures(server, target, rounds);
    const ms = (values: number[]) => median(values).toFixed(1);
    return [
      `Medians of ${rounds * 10} erasures of one memory that one response contains.`,
      [
        "| Stored responses | erasure, ms |",
        "|---|--:|",
        `| none besides | ${ms(without)} |`,
        `| ${Number(stored?.gb).toFixed(2)} GB with ${(responses * rowsEach).toLocaleString("en")} other rows | ${ms(withResponses)} |`,
      ].join("\n"),
    ].join("\n\n");
  } finally {
    await server.end();
    await admin.end();
  }
}

type Admin = Pick<Target, "organisationId" | "digest"> & { keyId: string };

async function createOrganisation(admin: Client): Promise<Admin> {
  const { rows } = await admin.query<{ organisation: string; person: string }>(
    `with person as (insert into app.people (email) values ($1) returning id),
       organisation as (insert into app.organisations (name) values ('Bench') returning id)
     insert into app.memberships (organisation_id, person_id, role)
     select organisation.id, person.id, 'owner' from organisation, person
     returning organisation_id as organisation, person_id as person`,
    [`${randomUUID()}@example.test`],
  );
  const { organisation = "", person = "" } = rows[0] ?? {};
  const { prefix, digest } = makeCredential("bsk");
  await admin.query("select operator.insert_key($1, $2, 'bench', 'admin', 90, $3, $4)", [
    organisation,
    person,
    prefix,
    digest,
  ]);
  const key = await admin.query<{ id: string }>("select id from app.api_keys where digest = $1", [digest]);
  return { organisationId: organisation, digest, keyId: key.rows[0]?.id ?? "" };
}

/** Creates a memory, whose response is stored, and erases it. Only the erasure is timed. */
async function erasures(server: Client, { digest }: Admin, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < rounds * 10; number += 1) {
    const subject = `Person ${randomUUID()}`;
    const identity = { subjectKind: "third_party", subject };
    await call(server, digest, "create_memory", {
      ...{ scope: "organisation", kind: "note", value: "Here.", confidence: 1, lawfulBasis: "consent" },
      ...identity,
    });
    const began = performance.now();
    await call(server, digest, "erase_memories", identity);
    times.push(performance.now() - began);
  }
  return times;
}

async function call(server: Client, digest: Buffer, operation: string, input: object): Promise<void> {
  const { rows } = await server.query<{ answer: string }>({
    name: "call",
    text: "select api.handle($1, $2, $3, null, $4, $5, $6, null) as answer",
    values: [digest, operation, JSON.stringify(input), randomUUID(), randomBytes(32), randomBytes(32)],
  });
  if (!rows[0]?.answer.startsWith('{"status":20')) throw new Error(`${operation} failed: ${rows[0]?.answer}`);
}

/** Inserts responses as batches of lists and a write would leave them. Each row has an id of its own. */
async function fill(admin: Client, { organisationId, keyId }: Admin): Promise<void> {
  const row = String.raw`{\"id\":\"%s\",\"scope\":\"organisation\",\"lawfulBasis\":\"consent\",\"value\":\"${"a".repeat(400)}\"}`;
  await admin.query(
    `insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, request_id, status, body)
     select $1, $2, sha256(n::text::bytea), sha256(''), uuidv7(), 200,
       (
         select '[{"status":200,"body":"{\\"data\\":[' || string_agg(format($3, uuidv7()), ',') || ']}"}]'
         from generate_series(1, $4) each where n > 0
       )
     from generate_series(1, $5) n`,
    [organisationId, keyId, row, rowsEach, responses],
  );
  await admin.query("analyze");
}
