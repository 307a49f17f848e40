/** The checkpoint job and witnesses: a restored backup, a witness that is away, and one that refuses. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signerFrom } from "../../../src/secrets/note-key.ts";
import { readCheckpoint } from "../../../src/transparency/checkpoint.ts";
import { openWitness } from "../../../src/transparency/checkpoints/witness.ts";
import { signatureOf } from "../../../src/transparency/note.ts";
import { type RunningWitness, startWitness, witnessKey } from "../../../src/transparency/witness/server.ts";
import { copyLog, faultsOf, logSigner, testCheckpoints, writeEntries } from "../../support/checkpoints.ts";
import { makeOrganisation, type Organisation, type TestDatabase, testDatabase } from "../../support/database.ts";

let db: TestDatabase;
let ours: Organisation;
let folder: string;
let running: RunningWitness;
let witness: () => ReturnType<typeof openWitness>;

beforeEach(async () => {
  db = await testDatabase();
  ours = await makeOrganisation(db);
  folder = mkdtempSync(join(tmpdir(), "botstead-witness-"));
  const signer = witnessKey(join(folder, "key"), "witness.example");
  running = await startWitness({ host: "127.0.0.1", port: 0 }, { signer, logs: [logSigner], folder });
  const { port } = running;
  witness = () => openWitness({ key: signer, url: `http://127.0.0.1:${port}` });
});
afterEach(async () => {
  await running.stop();
  await db.drop();
  rmSync(folder, { recursive: true });
});

const newest = async () =>
  (
    await db.sql<{ note: string; witnesses: string[] }>(
      "select note, witnesses from audit.checkpoints order by number desc limit 1",
    )
  )[0];

test("a witness cosigns each checkpoint, and the proof contains the cosignature", async () => {
  const job = testCheckpoints(db, { witnesses: [witness()] });
  for (const entries of [1, 300, 20]) {
    await writeEntries(db, ours.id, entries);
    expect(faultsOf(await job.run())).toEqual([]);
    const made = await newest();
    expect(made?.witnesses).toEqual(["witness.example"]);
    const { note } = readCheckpoint(made?.note ?? "");
    expect(signatureOf(note, witnessKey(join(folder, "key"), "witness.example"))).toBeDefined();
  }
  const restarted = testCheckpoints(db, { witnesses: [witness()] });
  await writeEntries(db, ours.id, 1);
  expect(faultsOf(await restarted.run())).toEqual([]);
});

test("a new process over a restored backup learns of it from the witness, and signs nothing", async () => {
  const job = testCheckpoints(db, { witnesses: [witness()] });
  await job.run();
  const restore = await copyLog(db, "audit_cosignatures");
  await writeEntries(db, ours.id, 5);
  await job.run();
  await restore();
  await writeEntries(db, ours.id, 50); // the log grows beyond its old size
  const restarted = testCheckpoints(db, { witnesses: [witness()] });
  expect(faultsOf(await restarted.run())).toContainEqual(expect.stringMatching(/^rolled_back \d+$/));
  expect(await db.sql("select from app.audit_checkpoints")).toHaveLength(1);
  expect(faultsOf(await restarted.run())).toContainEqual(expect.stringMatching(/^rolled_back \d+$/));
});

test("an unreachable witness delays no checkpoint, and cosigns a later one", async () => {
  const url = "http://127.0.0.1:9";
  const away = openWitness({ key: witnessKey(join(folder, "key"), "witness.example"), url });
  await writeEntries(db, ours.id, 1);
  expect(faultsOf(await testCheckpoints(db, { witnesses: [away] }).run())).toEqual([]);
  expect((await newest())?.witnesses).toEqual([]);
  await writeEntries(db, ours.id, 1);
  expect(faultsOf(await testCheckpoints(db, { witnesses: [witness()] }).run())).toEqual([]);
  expect((await newest())?.witnesses).toEqual(["witness.example"]);
});

test("a checkpoint that a witness refuses is a fault, and the job signs no other", async () => {
  const unknown = signerFrom("test.example/unknown", 1, Buffer.alloc(32, 9));
  const job = testCheckpoints(db, { witnesses: [witness()], signer: unknown });
  await job.run();
  expect(await db.sql("select fault from audit.log_faults")).toEqual([{ fault: "witness" }]);
  await writeEntries(db, ours.id, 1);
  expect(faultsOf(await job.run())).toEqual(["witness 0"]);
  expect(await db.sql("select from app.audit_checkpoints")).toHaveLength(1);
});

test("a cosignature of another key or another text is not stored", async () => {
  const signer = witnessKey(join(folder, "other"), "witness.example");
  const forged = openWitness({ key: signer, url: `http://127.0.0.1:${running.port}` });
  expect(faultsOf(await testCheckpoints(db, { witnesses: [forged] }).run())).toEqual([]);
  expect((await newest())?.witnesses).toEqual([]);
});
