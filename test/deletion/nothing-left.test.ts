/** After a deletion a search through the whole database finds nothing of the organisation, and all of the other. */
import { createHash } from "node:crypto";
import { Client } from "pg";
import { ensureDatabase } from "../../src/database/ensure-database.ts";
import { patternsOf, searcherOf } from "../hostile/patterns.ts";
import { columnsOf, searchIn } from "../hostile/scan.ts";
import { type Fixture, openFixture } from "../hostile/tenancy-fixture.ts";
import { findingsOnTestCluster } from "../support/audited.ts";
import { faultsOf, verifyLog } from "../support/checkpoints.ts";
import { commandOn, jsonOf } from "../support/program.ts";
import { type Deletions, deletionsOf } from "./fixture.ts";
import { plantCanaries } from "./planted.ts";

let fixture: Fixture;
let deletions: Deletions;
let client: Client;
beforeAll(async () => {
  fixture = await openFixture();
  deletions = await deletionsOf(fixture.db);
  client = new Client({ connectionString: fixture.db.adminUrl });
  await client.connect();
  await ensureDatabase(client); // for the findings
});
afterAll(async () => {
  await client?.end();
  await fixture?.close();
});

/** Tables that keep ids, times, numbers and hashes of a deleted organisation, and the statistics of these. */
const records =
  /^pg_catalog\.pg_statistic\.|^app\.(organisation_deletions|operator_commands|audit_log|audit_chain_heads|audit_truncations|audit_leaves)\./;

/** Columns of a digest, of a fixed form, or that another state of the row needs. */
const constrained =
  /(digest|hash)$|^exports\.manifest$|^export_parts\.chain$|\.(prefix|traceparent|fingerprint|refusal|operator)$|^approvals\.(comment|question|reason)$|^runs\.concurrency_key$/;

async function found(text: string): Promise<string[]> {
  const { found } = await searchIn(columnsOf(client), searcherOf(patternsOf("text", text)));
  return [...new Set(found.map(({ place }) => place))].sort();
}

test("no column of any table has a canary or the id, apart from the records, and the other organisation keeps every row", async () => {
  const { db } = fixture;
  const own = fixture.own.organisation.organisationId;
  const other = fixture.other.organisation.organisationId;
  await deletions.schedule(own);
  await deletions.schedule(other);
  await deletions.operator.perform("cancel_organisation_deletion($1, 'Came back')", [other]);
  for (const organisation of [own, other]) {
    await deletions.operator.perform("set_limit($1, 'seats', 50, 'More')", [organisation]);
    await deletions.operator.perform("restrict_kind($1, 'shoe size', 'Asked for')", [organisation]);
  }
  const planted = await plantCanaries(db, { [own]: "canary-own", [other]: "canary-other" });
  await db.sql("analyze"); // PostgreSQL's statistics have texts too
  const inTables = (places: string[]) => places.filter((place) => !place.startsWith("pg_catalog.pg_statistic."));
  const before = inTables(await found("canary-other"));
  const ownBefore = await found("canary-own");
  expect(inTables(ownBefore)).toEqual(before);
  expect(ownBefore.length).toBeGreaterThan(before.length);
  expect(before.length).toBeGreaterThan(45);
  expect(planted.empty).toEqual(["audit_pending_entries", "authorization_codes"]);
  expect(planted.refused.filter((column) => !constrained.test(column))).toEqual([]);
  const rows = async () => planted.countsOf(other, ["audit_leaves", "api_key_days", "request_minutes"]); // written later
  const rowsBefore = await rows();

  await deletions.passWait(own);
  const receipt = await deletions.end(own);

  expect(await found("canary-own")).toEqual([]);
  expect((await found(own)).filter((place) => !records.test(place))).toEqual([]);
  expect(inTables(await found("canary-other"))).toEqual(before);
  expect(await rows()).toEqual(rowsBefore);
  expect(receipt).toMatchObject({ places_left: {}, mentioned_by_others: {} });
  const printed = await jsonOf(db, "organisation", "receipt", own);
  expect(printed).toMatchObject({
    receipt: { organisationId: own, placesLeft: {}, deleted: receipt.deleted, searched: receipt.searched },
    backups: null,
  });
  const [entry] = await db.sql<{ hash: string }>(
    "select before ->> 'receiptHash' as hash from app.audit_log where organisation_id = $1 and resource = 'organisation'",
    [own],
  );
  const [stored] = await db.sql<{ receipt: string }>(
    "select receipt from operator.organisation_deletions where organisation_id = $1",
    [own],
  );
  expect(
    createHash("sha256")
      .update(stored?.receipt ?? "")
      .digest("hex"),
  ).toBe(printed.hash);
  expect([entry?.hash, receipt.hash?.toString("hex")]).toEqual([printed.hash, printed.hash]);
  const absent = await commandOn(db, ["organisation", "receipt", other]);
  expect([absent.code, absent.stderr]).toEqual([
    1,
    expect.stringContaining("No deletion of this organisation has begun."),
  ]);

  expect(faultsOf(await deletions.checkpoints.run())).toEqual([]);
  expect((await verifyLog(db)).faults).toEqual([]);
  expect(await db.sql("select * from audit.verify_chain()")).toEqual([]);
  const findings = await db.sql<{ object: string }>(findingsOnTestCluster);
  expect(findings.filter(({ object }) => !object.includes(other))).toEqual([]); // its canaries are in no entry of its log
});
