/** The checkpoint job: what it signs. */
import { readCheckpoint } from "../../../src/transparency/checkpoint.ts";
import { leafHash, openRoot, rootOfInclusion } from "../../../src/transparency/merkle.ts";
import { faultsOf, testCheckpoints, writeEntries } from "../../support/checkpoints.ts";
import { makeOrganisation, type Organisation, type TestDatabase, testDatabase } from "../../support/database.ts";

let db: TestDatabase;
let ours: Organisation;
let theirs: Organisation;

beforeAll(async () => {
  db = await testDatabase();
  ours = await makeOrganisation(db);
  theirs = await makeOrganisation(db);
});
afterAll(() => db.drop());

const entries = async () => Number((await db.sql<{ count: string }>("select count(*) from app.audit_log"))[0]?.count);

type Proof = { leaf: string; leaf_index: string; tree_size: string; hashes: Buffer[]; checkpoint: string };

test("the checkpoint job adds each entry to the tree once, and the signed checkpoint proves it, over several runs", async () => {
  const job = testCheckpoints(db);
  for (const added of [3, 0, 300, 1]) {
    await writeEntries(db, ours.id, added);
    await writeEntries(db, theirs.id, Math.ceil(added / 3));
    const outcome = await job.run();
    expect(faultsOf(outcome)).toEqual([]);
  }
  const size = await entries();
  const auditor = db.poolAs("auditor", 1);
  const { rows } = await auditor.query<Proof & { organisation_id: string; sequence: string }>(
    "select entry.organisation_id, entry.sequence, proof.* from audit.entry_hashes entry, audit.proof(entry.organisation_id, entry.sequence) proof",
  );
  expect(rows).toHaveLength(size);
  expect(new Set(rows.map(({ leaf_index }) => leaf_index)).size).toBe(size);
  const note = readCheckpoint(rows[0]?.checkpoint ?? "");
  expect(note.size).toBe(size);
  for (const { leaf, leaf_index, hashes, organisation_id, sequence } of rows) {
    expect(leaf).toContain(`\n${organisation_id}\n${sequence}\n`);
    expect(hashes.length).toBeLessThanOrEqual(32);
    expect(rootOfInclusion(leafHash(leaf), Number(leaf_index), size, hashes)?.equals(note.root)).toBe(true);
  }
  const root = openRoot();
  for (const { leaf } of rows.sort((a, b) => Number(a.leaf_index) - Number(b.leaf_index))) root.append(leafHash(leaf));
  expect(root.root().equals(note.root)).toBe(true);
});

test("the checkpoint job without new entries signs nothing", async () => {
  const job = testCheckpoints(db);
  await job.run();
  const signed = () => db.sql("select number from app.audit_checkpoints");
  const before = await signed();
  expect(await job.run()).toEqual({ open: [], more: false, isPassComplete: true });
  expect(await signed()).toEqual(before);
});
