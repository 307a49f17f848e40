/**
 * Every operation with every kind of credential, at rows of one's own, of another organisation, of nobody, and at what is no
 * id: what must come is data (tenancy-rules.ts). What is another's and what never was are told by the same bytes, and
 * afterwards nothing of the other organisation has changed.
 */
import { randomUUID } from "node:crypto";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { refusals } from "../../src/contract/refusals.ts";
import { expectRefusal, sameButForRequestId } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { tell } from "../support/reliability.ts";
import { changedTables, type Fingerprints, fingerprintsOf } from "./row-fingerprints.ts";
import { together } from "./stage.ts";
import { type Credential, credentials, refusalOf, type Target, targetsOf } from "./tenancy-rules.ts";
import { bearerOf, openScene, type Scene, type Tenant } from "./tenancy-scene.ts";

let scene: Scene;
const bearers = new Map<string, string | undefined>();
let before: Record<string, Fingerprints>;

const tenantOf = ({ suspended }: Credential): Tenant => (suspended ? scene.suspended : scene.own);
const fingerprints = async (): Promise<Record<string, Fingerprints>> => ({
  own: await fingerprintsOf(scene.db, scene.own.world.organisationId),
  other: await fingerprintsOf(scene.db, scene.other.world.organisationId),
  suspended: await fingerprintsOf(scene.db, scene.suspended.world.organisationId),
});

beforeAll(async () => {
  scene = await openScene();
  for (const credential of credentials) {
    bearers.set(credential.name, await bearerOf(scene.db, credential, tenantOf(credential).world));
  }
  before = await fingerprints();
}, 60_000);
afterAll(() => scene?.close());

type Cell = { operation: Operation; credential: Credential; target: Target };

const cells: Cell[] = operations.flatMap((operation) =>
  credentials.flatMap((credential) => targetsOf(operation).map((target) => ({ operation, credential, target }))),
);
const nameOf = ({ operation, credential, target }: Cell) => `${operation.name} of ${target} by ${credential.name}`;

/** The operation's example; in its body stand ids of rows that the caller may name. */
async function send({ operation, credential, target }: Cell): Promise<Reply<Json>> {
  const tenant = tenantOf(credential);
  const described = scene.documented(operation.name);
  const part = operation.path.split("/")[1] ?? "";
  const ids: Record<Target, string> = {
    own: tenant.rows[part] ?? "",
    other: scene.other.rows[part] ?? "",
    random: randomUUID(),
    malformed: "no-id",
  };
  return scene.api.call(operation.method.toUpperCase(), operation.path.replace(/\{\w+\}/, ids[target]), {
    ...(bearers.get(credential.name) ? { key: bearers.get(credential.name) } : {}),
    ...(operation.body ? { body: await tenant.world.example(described) } : {}),
  });
}

test("what is to be refused is, alike for what is another's and what never was, and nothing is written", async () => {
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
      // Whoever is nobody hears the same everywhere; whoever is somebody, of one operation.
      const heard = code === "unauthenticated" ? code : `${code} by ${cell.credential.name}`;
      const answer = JSON.stringify(sameButForRequestId(reply));
      const known = said.get(heard);
      if (!known) said.set(heard, { answer, first: nameOf(cell) });
      else if (known.answer !== answer) faults.push(`${nameOf(cell)} is told otherwise than ${known.first}: ${answer}`);
    }
  }
  const after = await fingerprints();
  const changed = Object.keys(before).flatMap((whose) =>
    changedTables(before[whose] ?? {}, after[whose] ?? {}).map((table) => `${table} of ${whose}`),
  );
  tell("every route, credential and id that must be refused", {
    acknowledged,
    lost: 0,
    doubled: 0,
    unexpected: faults.length + changed.length,
    note: `${operations.length} operations, ${credentials.length} credentials`,
  });
  expect(faults).toEqual([]);
  expect(changed).toEqual([]);
  expect(refused.length).toBeGreaterThan(2_000);
}, 120_000);

test("what is to be carried out is, by each scope that admits it, and touches no other organisation", async () => {
  const admitted = cells.filter(({ operation, credential, target }) => !refusalOf(operation, credential, target));
  const faults: string[] = [];
  const carryOut = async ({ operation, credential, target }: Cell) => {
    const world = await scene.fresh(); // what is done may be done once
    const key = credential.name === "platform" ? bearers.get("platform") : await bearerOf(scene.db, credential, world);
    const reply = await world.send(scene.documented(operation.name), { key });
    if (reply.status !== operation.status) {
      faults.push(`${nameOf({ operation, credential, target })}: ${reply.status} ${reply.text.slice(0, 200)}`);
    }
  };
  for (let next = 0; next < admitted.length; next += together) {
    await Promise.all(admitted.slice(next, next + together).map(carryOut));
  }
  const after = await fingerprintsOf(scene.db, scene.other.world.organisationId);
  const changed = changedTables(before.other ?? {}, after);
  tell("every route, credential and id that must be admitted", {
    acknowledged: admitted.length - faults.length,
    lost: 0,
    doubled: 0,
    unexpected: faults.length + changed.length,
  });
  expect(faults).toEqual([]);
  expect(changed).toEqual([]);
  expect(admitted.length).toBeGreaterThan(operations.length);
}, 120_000);

/** What is empty here, with what fills it. */
const unfilled: Record<string, string> = {
  "app.audit_cuts": "retention, where weeks of the trail were dropped",
  "app.audit_drafts": "a transaction, until it commits",
  "app.monthly_usage": "runs that cost something",
  "app.operator_acts": "operators",
  "app.third_party_restriction_changes": "operators",
};

test("the fingerprints cover rows of the other organisation in every table that a caller can fill, and see a change", async () => {
  const { db, other } = scene;
  const empty = Object.entries(before.other ?? {}).filter(([, { rows }]) => rows === 0);
  await db.sql("update app.memories set value = value || '.' where id = $1", [other.rows.memories]);
  const after = await fingerprintsOf(db, other.world.organisationId);
  const seen = changedTables(before.other ?? {}, after);
  tell("the fingerprints of another organisation's rows", {
    acknowledged: Object.keys(after).length - empty.length,
    lost: seen.includes("app.memories") ? 0 : 1,
    doubled: 0,
    unexpected: 0,
    note: `no rows in ${empty.map(([name]) => name.replace(/^\w+\./, "")).join(", ")}`,
  });
  expect(seen).toContain("app.memories");
  expect(empty.map(([name]) => name)).toEqual(Object.keys(unfilled));
});
