/**
 * Every operation with every kind of credential, for own, foreign, unknown and malformed ids. tenancy-rules.ts defines
 * the expected outcomes. Foreign and unknown ids get identical bytes, and no row of the other organisation changes.
 */
import { randomUUID } from "node:crypto";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { refusals } from "../../src/contract/refusals.ts";
import { expectRefusal, sameButForRequestId } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { reportCounts } from "../support/reliability.ts";
import { together } from "./fixture.ts";
import { changedTables, type Fingerprints, fingerprintsOf } from "./row-fingerprints.ts";
import { bearerOf, type Fixture, openFixture, type Tenant } from "./tenancy-fixture.ts";
import { type Credential, credentials, refusalOf, type Target, targetsOf } from "./tenancy-rules.ts";

let fixture: Fixture;
const bearers = new Map<string, string | undefined>();
let before: Record<string, Fingerprints>;

const tenantOf = ({ suspended }: Credential): Tenant => (suspended ? fixture.suspended : fixture.own);
const fingerprints = async (): Promise<Record<string, Fingerprints>> => ({
  own: await fingerprintsOf(fixture.db, fixture.own.organisation.organisationId),
  other: await fingerprintsOf(fixture.db, fixture.other.organisation.organisationId),
  suspended: await fingerprintsOf(fixture.db, fixture.suspended.organisation.organisationId),
});

beforeAll(async () => {
  fixture = await openFixture();
  for (const credential of credentials) {
    bearers.set(credential.name, await bearerOf(fixture.db, credential, tenantOf(credential).organisation));
  }
  before = await fingerprints();
});
afterAll(() => fixture?.close());

type Cell = { operation: Operation; credential: Credential; target: Target };

const cells: Cell[] = operations.flatMap((operation) =>
  credentials.flatMap((credential) => targetsOf(operation).map((target) => ({ operation, credential, target }))),
);
const nameOf = ({ operation, credential, target }: Cell) => `${operation.name} of ${target} by ${credential.name}`;

/** The operation's example, with ids of rows that the caller may name. */
async function send({ operation, credential, target }: Cell): Promise<Reply<Json>> {
  const tenant = tenantOf(credential);
  const described = fixture.documented(operation.name);
  const part = operation.path.split("/")[1] ?? "";
  const ids: Record<Target, string> = {
    own: tenant.rows[part] ?? "",
    other: fixture.other.rows[part] ?? "",
    random: randomUUID(),
    malformed: "no-id",
  };
  return fixture.api.call(operation.method.toUpperCase(), operation.path.replace(/\{\w+\}/, ids[target]), {
    ...(bearers.get(credential.name) ? { key: bearers.get(credential.name) } : {}),
    ...(operation.body ? { body: await tenant.organisation.example(described) } : {}),
  });
}

test("every forbidden call is refused alike for foreign and unknown ids, and writes nothing", async () => {
  const refused = cells.filter(({ operation, credential, target }) => refusalOf(operation, credential, target));
  const faults: string[] = [];
  const said = new Map<string, { answer: string; first: string }>();
  let acknowledged = 0;
  for (let next = 0; next < refused.length; next += together) {
    const some = refused.slice(next, next + together);
    const replies = await Promise.all(some.map(send));
    for (const [index, reply] of replies.entries()) {
      const cell = some[index] as Cell;
      const code = refusalOf(cell.operation, cell.credential, cell.target) ?? "internal";
      try {
        expectRefusal(reply, code);
        acknowledged += 1;
      } catch {
        faults.push(`${nameOf(cell)}: ${reply.status} and not ${refusals[code].status} ${code}`);
        continue;
      }
      // The 401 response is the same for all operations. Other refusals are the same within one operation.
      const heard = code === "unauthenticated" ? code : `${code} by ${cell.credential.name}`;
      const answer = JSON.stringify(sameButForRequestId(reply));
      const known = said.get(heard);
      if (!known) said.set(heard, { answer, first: nameOf(cell) });
      else if (known.answer !== answer) faults.push(`${nameOf(cell)} differs from ${known.first}: ${answer}`);
    }
  }
  const after = await fingerprints();
  const changed = Object.keys(before).flatMap((whose) =>
    changedTables(before[whose] ?? {}, after[whose] ?? {}).map((table) => `${table} of ${whose}`),
  );
  reportCounts("forbidden calls of every operation, credential and id", {
    acknowledged,
    lost: 0,
    doubled: 0,
    unexpected: faults.length + changed.length,
    note: `${operations.length} operations, ${credentials.length} credentials`,
  });
  expect(faults).toEqual([]);
  expect(changed).toEqual([]);
  expect(refused.length).toBeGreaterThan(2_000);
});

test("every permitted call succeeds with each permitted scope, and changes no other organisation", async () => {
  const admitted = cells.filter(({ operation, credential, target }) => !refusalOf(operation, credential, target));
  const faults: string[] = [];
  const carryOut = async ({ operation, credential, target }: Cell) => {
    const organisation = await fixture.fresh(); // some operations succeed only once
    const key =
      credential.name === "platform" ? bearers.get("platform") : await bearerOf(fixture.db, credential, organisation);
    const reply = await organisation.send(fixture.documented(operation.name), { key });
    if (reply.status !== operation.status) {
      faults.push(`${nameOf({ operation, credential, target })}: ${reply.status} ${reply.text.slice(0, 200)}`);
    }
  };
  for (let next = 0; next < admitted.length; next += together) {
    await Promise.all(admitted.slice(next, next + together).map(carryOut));
  }
  const after = await fingerprintsOf(fixture.db, fixture.other.organisation.organisationId);
  const changed = changedTables(before.other ?? {}, after);
  reportCounts("permitted calls of every operation and credential", {
    acknowledged: admitted.length - faults.length,
    lost: 0,
    doubled: 0,
    unexpected: faults.length + changed.length,
  });
  expect(faults).toEqual([]);
  expect(changed).toEqual([]);
  expect(admitted.length).toBeGreaterThan(operations.length);
});

/** Tables without rows in this test, with the test that fills them. */
const unfilled: Record<string, string> = {
  "app.audit_faults": "the checkpoint job, when the audit log was tampered with",
  "app.audit_pending_entries": "a transaction, until it commits",
  "app.audit_truncations": "retention, where weeks of the audit log were dropped",
  "app.authorization_codes": "people who consent to MCP clients",
  "app.monthly_usage": "runs that cost something",
  "app.operator_actions": "operators",
  "app.organisation_deletions": "deletions and their receipts",
  "app.organisation_limits": "operators",
  "app.organisation_moves": "moves between cells",
  "app.third_party_restriction_changes": "operators",
};

test("fingerprints cover every table that a caller can fill, and detect a change of the other organisation", async () => {
  const { db, other } = fixture;
  const empty = Object.entries(before.other ?? {}).filter(([, { rows }]) => rows === 0);
  await db.sql("update app.memories set value = value || '.' where id = $1", [other.rows.memories]);
  const after = await fingerprintsOf(db, other.organisation.organisationId);
  const seen = changedTables(before.other ?? {}, after);
  reportCounts("fingerprints of another organisation's rows", {
    acknowledged: Object.keys(after).length - empty.length,
    lost: seen.includes("app.memories") ? 0 : 1,
    doubled: 0,
    unexpected: 0,
    note: `no rows in ${empty.map(([name]) => name.replace(/^\w+\./, "")).join(", ")}`,
  });
  expect(seen).toContain("app.memories");
  expect(empty.map(([name]) => name)).toEqual(Object.keys(unfilled));
});
