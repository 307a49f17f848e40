/** botstead audit verify, export and key, and botstead witness, as programs; proofs verified by Python. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { testApi } from "../support/api.ts";
import { tamper, writeEntries } from "../support/checkpoints.ts";
import { makeKey, makeOrganisation, type Organisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { testWith } from "../support/machine.ts";
import { command, killPrograms, type Program, runProgram } from "../support/program.ts";
import { eventually, testWorker } from "../support/worker.ts";

const example = fileURLToPath(new URL("../../examples/python/verify_audit_proof.py", import.meta.url));
const python = (...args: string[]) => execFileSync("/usr/bin/python3", ["-B", example, ...args], { encoding: "utf8" });

let db: TestDatabase;
let ours: Organisation;
let cwd: string;
let witness: Program;
let witnessFile: string;
let worker: Awaited<ReturnType<typeof testWorker>>;
let logKey: string;

const run = (...args: string[]) =>
  command(args, {
    cwd,
    env: { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey, AUDIT_ORIGIN: "test.example/audit" },
  });

/** Waits until the worker has signed everything. */
const signed = async () => {
  await db.sql("update app.audit_tree set attempted_at = null");
  await eventually(async () => {
    const [row] = await db.sql(
      "select (select count(*) from app.audit_log) = (select max(tree_size) from app.audit_checkpoints) as all",
    );
    return row?.all === true;
  });
};

beforeAll(async () => {
  db = await testDatabase();
  ours = await makeOrganisation(db);
  await writeEntries(db, ours.id, 300);
  cwd = mkdtempSync(join(tmpdir(), "botstead-audit-log-"));
  const key = await run("audit", "key");
  expect([key.code, key.stderr]).toEqual([0, ""]);
  logKey = key.stdout.trim();
  const args = ["--listen", "127.0.0.1:0", "--store", "store", "--key", "witness.key", "--name", "w.example"];
  witness = runProgram(["witness", ...args, "--log", logKey], { cwd });
  const [line = ""] = await witness.says(/^w\.example\+\S+ http:\S+\n/);
  witnessFile = join(cwd, "store", "test.example%2Faudit.jsonl");
  worker = await testWorker(db, { AUDIT_ORIGIN: "test.example/audit", AUDIT_WITNESSES: line.trim() });
  await signed();
});

afterAll(async () => {
  await worker.stop();
  await killPrograms();
  await db.drop();
  rmSync(cwd, { recursive: true });
});

test("audit verify accepts the log, alone, with the witness's file, and an export without the database", async () => {
  const found = await run("audit", "verify", "--witness", witnessFile, "--json");
  expect([found.code, found.stderr]).toEqual([0, ""]);
  expect(JSON.parse(found.stdout)).toMatchObject({ entries: 303, treeSize: 303, waiting: 0, faults: [] });
  const text = await run("audit", "verify");
  expect(text).toMatchObject({ code: 0, stdout: expect.stringContaining("No faults.") });
  const exported = await run("audit", "export");
  expect(exported.code).toBe(0);
  writeFileSync(join(cwd, "audit.jsonl"), exported.stdout);
  const offline = await command(
    ["audit", "verify", "--file", "audit.jsonl", "--key", logKey, "--witness", witnessFile],
    { cwd },
  );
  expect(offline).toMatchObject({ code: 0, stderr: "" });
});

test.each([
  ["an altered content", '"kind":"entry"', (row: string) => row.replace("created", "deleted"), "altered"],
  ["a removed entry", '"kind":"entry"', () => "", "removed"],
  ["an altered tile", '"kind":"tile"', (row: string) => row.replace(/"hashes":"../, '"hashes":"00'), "root"],
  ["an altered checkpoint", '"kind":"checkpoint"', (row: string) => row.replace("303", "302"), "signature"],
])("audit verify --file finds %s in an export", async (_, kind, change, expected) => {
  const lines = (await run("audit", "export")).stdout.split("\n");
  const at = lines.findIndex((line) => line.includes(kind) && !line.includes('"level":1'));
  const altered = [...lines.slice(0, at), change(lines[at] ?? ""), ...lines.slice(at + 1)].filter(
    (line) => line !== "",
  );
  writeFileSync(join(cwd, "altered.jsonl"), altered.join("\n"));
  const found = await command(["audit", "verify", "--file", "altered.jsonl", "--key", logKey], { cwd });
  expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining(expected) });
});

test("audit verify refuses another key, and exits with 3 if the file is missing", async () => {
  const other = logKey.replace(/^\S+?\+/, "test.example/other+");
  expect(await run("audit", "verify", "--key", other)).toMatchObject({ code: 3 });
  const master = Buffer.alloc(32, 3).toString("base64");
  const foreign = await command(["audit", "key"], {
    cwd,
    env: { DATABASE_URL: db.adminUrl, MASTER_KEY: master, AUDIT_ORIGIN: "test.example/audit" },
  });
  const refused = await run("audit", "verify", "--key", foreign.stdout.trim());
  expect(refused).toMatchObject({ code: 1, stderr: "", stdout: expect.stringContaining("no valid signature") });
  expect(await run("audit", "verify", "--witness", "none.jsonl")).toMatchObject({ code: 3 });
});

test("audit verify names both logs if the checkpoints are of another log", async () => {
  const env = { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey, AUDIT_ORIGIN: "test.example/renamed" };
  const refused = await command(["audit", "verify"], { cwd, env });
  const sentence = "is of the log test.example/audit, and the trusted key of test.example/renamed: see AUDIT_ORIGIN";
  expect(refused).toMatchObject({ code: 1, stderr: "", stdout: expect.stringContaining(sentence) });
});

testWith("python3")(
  "Python verifies a proof and a consistency proof of a running server, and refuses altered ones",
  async () => {
    const api = await testApi(db);
    try {
      const key = (await makeKey(db, ours.id, ours.ownerId, "admin")).text;
      const [before] = await db.sql<{ note: string; size: string }>(
        "select note, tree_size as size from audit.checkpoints order by number desc limit 1",
      );
      const reason = "It's a \\ test";
      const mint = [
        "--organisation",
        ours.id,
        "--person",
        ours.ownerId,
        "--scope",
        "read",
        "--by",
        "O'Hara",
        "--reason",
        reason,
      ];
      expect(await run("key", "mint", "--name", "proven", ...mint)).toMatchObject({ code: 0 });
      await signed();
      const write = (name: string, content: unknown) => {
        const file = join(cwd, name);
        writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
        return file;
      };
      const entries = (await api.call("GET", "/audit?limit=200", { key })).body.data;
      expect(entries[0]).toMatchObject({ operator: "O'Hara", reason });
      const first = (await api.call("GET", "/audit?resource=organisation", { key })).body.data.at(-1);
      expect(first.sequence).toBe(1);
      for (const entry of [entries[0], entries[100], entries[199], first]) {
        const { status, body: proof } = await api.call("GET", `/audit/${entry.id}/proof`, { key });
        expect(status).toBe(200);
        expect(proof.hashes.join("").length).toBeLessThanOrEqual(44 * 32);
        const files = [write("entry.json", entry), write("proof.json", proof)];
        expect(python("entry", ...files, ours.id, logKey)).toBe("verified\n");
        const altered = write("altered.json", { ...entry, hash: "0".repeat(64) });
        expect(() => python("entry", altered, files[1] as string, ours.id, logKey)).toThrow();
        for (const change of [
          { actor: "worker" },
          { changed: ["name"] },
          { after: { state: "x" } },
          { createdAt: "2026-01-01T00:00:00Z" },
        ]) {
          const changed = write("changed.json", { ...entry, ...change });
          expect(() => python("entry", changed, files[1] as string, ours.id, logKey)).toThrow(/of another entry/);
        }
        const other = write("other.json", { ...proof, previousHash: "0".repeat(64) });
        expect(() => python("entry", files[0] as string, other, ours.id, logKey)).toThrow(/of another content/);
        const moved = write("moved.json", { ...proof, leafIndex: (proof.leafIndex + 1) % proof.treeSize });
        expect(() => python("entry", files[0] as string, moved, ours.id, logKey)).toThrow();
        const forged = write("forged.json", { ...proof, checkpoint: proof.checkpoint.replace(/\n\d+\n/, "\n9\n") });
        expect(() => python("entry", files[0] as string, forged, ours.id, logKey)).toThrow(/did not sign/);
      }
      const [after] = await db.sql<{ checkpoint: string; hashes: Buffer[] }>("select * from audit.consistency($1)", [
        before?.size,
      ]);
      const hashes = after?.hashes.map((hash) => hash.toString("base64")) ?? [];
      const notes = [write("old.txt", before?.note), write("new.txt", after?.checkpoint)];
      expect(python("consistency", ...notes, write("hashes.json", hashes), logKey)).toBe("verified\n");
      const wrong = write("wrong.json", [Buffer.alloc(32).toString("base64"), ...hashes.slice(1)]);
      expect(() => python("consistency", ...notes, wrong, logKey)).toThrow(/extend|long|short/);
    } finally {
      await api.stop();
    }
  },
);

test("audit verify after a restore finds that the witness has a later checkpoint", async () => {
  const [row] = await db.sql<{ number: string }>("select max(number) as number from app.audit_checkpoints");
  const lines = readFileSync(witnessFile, "utf8");
  await worker.stop();
  await tamper(
    db,
    `delete from app.audit_cosignatures where checkpoint = ${row?.number}`,
    `delete from app.audit_checkpoints where number = ${row?.number}`,
    "delete from app.audit_log where sequence = (select head.sequence from app.audit_chain_heads head where head.organisation_id = audit_log.organisation_id)",
  );
  const found = await run("audit", "verify", "--witness", witnessFile);
  expect(found).toMatchObject({ code: 1, stderr: "", stdout: expect.stringContaining("faults:") });
  expect(lines).toContain("w.example");
});
