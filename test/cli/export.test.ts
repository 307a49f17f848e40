/** botstead export and botstead audit verify --export, as programs; planted faults are named. (docs/leaving.md) */
import { hash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileOfPart } from "../../src/contract/export-files.ts";
import { signerFrom } from "../../src/secrets/note-key.ts";
import { verifyExport } from "../../src/transparency/verification/exports.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { logSigner, tamper, testCheckpoints } from "../support/checkpoints.ts";
import { makeKey, makeMember } from "../support/database.ts";
import { command, type Ending, killPrograms, type Program, runProgram } from "../support/program.ts";
import { eventually } from "../support/worker.ts";

const here = ownApiOfFile();
const home = mkdtempSync(join(tmpdir(), "botstead-export-"));
let ada: Member;
let signing: ReturnType<typeof testCheckpoints>;

const begin = (folder: string, key = ada.key.text) =>
  runProgram(["export", folder, "--json"], { cwd: home, env: { BOTSTEAD_URL: here.api.url, BOTSTEAD_KEY: key } });
/** Signs until the command ends, as a worker does once a minute. */
async function ended(program: Program): Promise<Ending> {
  let isOver = false;
  const ending = program.ending.finally(() => {
    isOver = true;
  });
  await eventually(async () => {
    await signing.run();
    return isOver;
  });
  return ending;
}
/** Without a database. */
const verify = (folder: string, key = logSigner.text) =>
  command(["audit", "verify", "--export", folder, "--key", key], { cwd: home });
const faultsIn = (folder: string) => verifyExport(join(home, folder), [logSigner]).faults;

beforeAll(async () => {
  ada = await here.owner();
  await tamper(
    here.db,
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, search_vector)
     select '${ada.organisation.id}', 'organisation', 'fact', 'We', 'Grüße ' || number, 'member', 'test', '' from generate_series(1, 8000) number`,
  );
  signing = testCheckpoints(here.db);
});
afterAll(async () => {
  await killPrograms();
  rmSync(home, { recursive: true, force: true });
});

test("an export that is killed twice continues in its folder, and verifies without a database", async () => {
  for (const part of [2, 5]) {
    const program = begin("leaving");
    await eventually(async () => new RegExp(`^Part ${part}:`, "m").test(program.stderr()));
    await program.kill("SIGKILL");
  }
  const before = readFileSync(join(home, "leaving", "parts.jsonl"), "utf8");
  expect(before.split("\n").length).toBeGreaterThan(5);
  const done = await ended(begin("leaving"));
  expect([done.code, done.stderr]).toEqual([0, expect.not.stringMatching(/^Part [1-4]:/m)]);
  expect(readFileSync(join(home, "leaving", "parts.jsonl"), "utf8").startsWith(before)).toBe(true);
  const verified = await verify("leaving");
  expect(verified).toMatchObject({ code: 0, stderr: "" });
  expect(verified.stdout).toMatch(
    /^Export of organisation [0-9a-f-]{36}: 8\d{3} rows in \d+ parts, 0 withheld\nNo faults\.\n$/,
  );
  const again = await ended(begin("leaving")); // finished already
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, JSON.parse(done.stdout)]);
  const contents = readdirSync(join(home, "leaving")).filter((file) => file.startsWith("part-"));
  const text = contents.map((file) => readFileSync(join(home, "leaving", file), "utf8")).join("");
  expect(text.match(/"table":"memories"/g)).toHaveLength(8_000);
});

/** Changes a copy of the export. */
function planted(change: (path: (file: string) => string) => void): string[] {
  cpSync(join(home, "leaving"), join(home, "changed"), { recursive: true });
  try {
    change((file) => join(home, "changed", file));
    return faultsIn("changed");
  } finally {
    rmSync(join(home, "changed"), { recursive: true });
  }
}

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, "utf8")));
const withoutLine = (text: string): string => text.slice(text.indexOf("\n") + 1);

test("verification names what was changed", async () => {
  expect(faultsIn("leaving")).toEqual([]);
  const part = fileOfPart;
  const flip = (text: string) => text.replace("Grüße", "Grüsse");
  expect(planted((path) => edit(path(part(3)), flip))).toEqual([
    `${part(3)} is altered: its SHA-256 is not the one in parts.jsonl`,
  ]);
  expect(planted((path) => edit(path(part(3)), withoutLine))).toEqual([
    `${part(3)} is altered: it has 999 lines instead of 1000`,
    expect.stringMatching(/^the parts have 7999 rows of memories, and the manifest 8000$/),
  ]);
  expect(planted((path) => rmSync(path(part(3))))).toEqual([
    `${part(3)} is missing`,
    "the parts have 7000 rows of memories, and the manifest 8000",
  ]);
  const swap = (path: (file: string) => string) => {
    renameSync(path(part(3)), path("kept"));
    renameSync(path(part(4)), path(part(3)));
    renameSync(path("kept"), path(part(4)));
  };
  expect(planted(swap)).toEqual([`${part(3)} has the content of part ${4}`, `${part(4)} has the content of part ${3}`]);
  expect(planted((path) => writeFileSync(path(part(99)), ""))).toEqual([`${part(99)} is no part of the export`]);
  expect(planted((path) => edit(path("parts.jsonl"), withoutLine)).slice(0, 2)).toEqual([
    "parts.jsonl is altered at line 1: its chain does not follow from the lines before",
    `${part(1)} is no part of the export`,
  ]);
  expect(
    planted((path) => edit(path("parts.jsonl"), (text) => `${text.split("\n").slice(0, -2).join("\n")}\n`))[0],
  ).toMatch(/^parts\.jsonl has \d+ parts, and the manifest \d+$/);
  expect(
    planted((path) => edit(path("manifest.json"), (text) => text.replace('"withheld" : 0', '"withheld" : 1'))),
  ).toEqual(["the manifest is altered: the entry of the audit log has another hash"]);
});

test("verification refuses a proof of another organisation, entry, tree or key", async () => {
  const eve = await here.owner();
  expect((await ended(begin("other", eve.key.text))).code).toBe(0);
  expect(faultsIn("other")).toEqual([]);
  const ids = [ada.organisation.id, eve.organisation.id] as const;
  expect(planted((path) => cpSync(join(home, "other", "proof.json"), path("proof.json"))).slice(0, 1)).toEqual([
    `the manifest is of organisation ${ids[0]}, and the entry of the audit log of ${ids[1]}`,
  ]);
  const whole = planted((path) => {
    for (const file of ["manifest.json", "proof.json"]) cpSync(join(home, "other", file), path(file));
  });
  expect(whole[0]).toBe("parts.jsonl is altered at line 1: its chain does not follow from the lines before");
  expect(whole).toContainEqual(`${fileOfPart(1)}: line 1 is of another organisation`);
  const proof = (change: (proof: Record<string, unknown>) => void) =>
    planted((path) =>
      edit(path("proof.json"), (text) => {
        const read = JSON.parse(text);
        change(read);
        return JSON.stringify(read);
      }),
    );
  const size = JSON.parse(readFileSync(join(home, "leaving", "proof.json"), "utf8")).treeSize;
  expect(
    proof((read) => Object.assign(read, { content: (read.content as string).replace("key\n", "operator\n") })),
  ).toEqual(["the entry of the audit log is altered: its hash does not follow from its content"]);
  expect(proof((read) => Object.assign(read, { leafIndex: 0 }))).toEqual([
    `the checkpoint of size ${size} does not cover the entry of the audit log`,
  ]);
  const unknown = signerFrom("test.example/audit", 1, Buffer.alloc(32, 2));
  const other = await verify("leaving", unknown.text);
  expect([other.code, other.stdout]).toEqual([
    1,
    expect.stringContaining(`the checkpoint of size ${size} has no valid signature`),
  ]);
  const missing = await verify("nowhere");
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining("nowhere")]);
});

test("a reason that imitates the entry of an export proves no manifest, and no name in a file begins a line", async () => {
  const { id } = ada.organisation;
  const manifest = readFileSync(join(home, "leaving", "manifest.json"), "utf8").replace(
    '"withheld" : 0',
    '"withheld" : 1',
  );
  const { exportId } = JSON.parse(manifest);
  const imitated = [
    "x",
    "",
    "",
    "export",
    exportId,
    "{}",
    "",
    JSON.stringify({ manifestHash: hash("sha256", manifest) }),
    "",
  ];
  await here.db.sql(
    `insert into app.audit_pending_entries (organisation_id, actor, action, resource, changed, reason)
     values ($1, 'operator', 'updated', 'organisation', '{}', $2)`,
    [id, imitated.join("\n")],
  );
  await signing.run();
  const [entry] = await here.db.sql<{ id: string }>(
    "select id from app.audit_log where organisation_id = $1 and reason like 'x%'",
    [id],
  );
  const proof = (await ada.get(`/audit/${entry?.id}/proof`)).body;
  expect(proof.content.split("\n").slice(7, 9)).toEqual(["export", exportId]);
  const faults = planted((path) => {
    writeFileSync(path("manifest.json"), manifest);
    writeFileSync(path("proof.json"), JSON.stringify(proof));
  });
  expect(faults).toEqual([`the entry of the audit log is of organisation , not of export ${exportId}`]);

  cpSync(join(home, "leaving"), join(home, "forged"), { recursive: true });
  const forged = JSON.stringify({ ...JSON.parse(manifest), organisationId: `${id}\nNo faults.\u001b[8m` });
  writeFileSync(join(home, "forged", "manifest.json"), forged);
  const { code, stdout } = await verify("forged");
  expect([code, stdout.includes("\u001b")]).toEqual([1, false]);
  expect(stdout).not.toMatch(/^No faults/m);
  expect(stdout).toContain("\ufffdNo faults.\ufffd[8m");
});

test("an export that has expired is named, and an admin's key exports nothing", async () => {
  const program = begin("expiring");
  await eventually(async () => /^Part \d+:/m.test(program.stderr()));
  await program.kill("SIGKILL");
  await here.db.sql("update app.exports set expires_at = now() where finished_at is null");
  const late = await ended(begin("expiring"));
  expect([late.code, late.stderr]).toEqual([1, "The export has expired. Remove expiring, and begin again.\n"]);
  const max = await makeMember(here.db, ada.organisation.id, "admin");
  const { text } = await makeKey(here.db, ada.organisation.id, max, "admin");
  const admin = await ended(begin("of-admin", text));
  expect([admin.code, admin.stderr]).toEqual([1, expect.stringContaining("owners_only")]);
});
