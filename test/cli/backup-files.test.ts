/** Files of backups: what is refused, what an interruption leaves, what `verify` finds, what `--keep` removes. */
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { findDatabase } from "../../src/database/access.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { type Installation, makeInstallation, type Started } from "../support/installation.ts";
import { postgresClient, testWithPostgresClient } from "../support/postgres-client.ts";
import { command, killPrograms, runProgram } from "../support/program.ts";
import { eventually } from "../support/worker.ts";

let home: Installation;
let started: Started;
let admin: Client;
let backups: string;
let env: Record<string, string>;

beforeAll(async () => {
  home = await makeInstallation();
  chmodSync(join(home.dataDir, ".."), 0o755); // PostgreSQL does not run as root
  backups = join(home.dataDir, "..", "backups");
  env = { ...home.env, BACKUP_DIR: backups };
  started = await home.start({ env });
  const key = loadMasterKey({ dataDir: home.dataDir, masterKey: undefined });
  const url = await findDatabase({ dataDir: home.dataDir, databaseUrl: undefined }, key);
  admin = new Client({ connectionString: url });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await home.remove();
  await killPrograms();
});

const run = (args: string[], more: Record<string, string> = {}) => command(args, { env: { ...env, ...more } });
const listed = async () =>
  (await run(["backup", "list"])).stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t")[0] ?? "");
const archive = () => join(backups, readdirSync(backups)[0] ?? "");
const folderOf = (name: string) => join(backups, name);

test("backup needs BACKUP_DIR, outside of the data folder, also through a link", async () => {
  expect(await run(["backup"], { BACKUP_DIR: "" })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Set BACKUP_DIR/),
  });
  const link = join(home.dataDir, "..", "link");
  symlinkSync(home.dataDir, link);
  for (const place of [join(home.dataDir, "backups"), join(link, "a", "b"), home.dataDir]) {
    const { code, stderr } = await run(["backup"], { BACKUP_DIR: place });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is in the data folder: choose a folder elsewhere/)]);
  }
  expect(existsSync(join(home.dataDir, "backups"))).toBe(false);
  rmSync(link);
});

test("backup and restore refuse a PostgreSQL of your own", async () => {
  const own = { DATABASE_URL: "postgres://db.invalid/botstead", MASTER_KEY: Buffer.alloc(32).toString("base64") };
  for (const name of ["backup", "restore"]) {
    expect(await run([name], own)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL names a PostgreSQL of your own/),
    });
  }
});

test("backup refuses a database with a tablespace, and leaves nothing", async () => {
  const place = join(home.dataDir, "..", "space");
  mkdirSync(place);
  const { uid, gid } = statSync(join(home.dataDir, "postgres"));
  chownSync(place, uid, gid);
  await admin.query(`create tablespace fast location '${place}'`);
  const { code, stderr } = await run(["backup"]);
  await admin.query("drop tablespace fast");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database has tablespaces \(fast\)/)]);
  expect(await listed()).toEqual([]);
});

test("a killed backup leaves nothing that is listed, and the next one removes its files", async () => {
  const killed = runProgram(["backup"], { env });
  const partial = () => readdirSync(archive()).find((name) => name.endsWith(".partial"));
  await eventually(async () => partial() !== undefined);
  await killed.kill("SIGKILL");
  expect(partial()).toBeDefined();
  expect(await listed()).toEqual([]);
  expect(await run(["restore"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no complete backup in/),
  });
  expect(await run(["backup"])).toMatchObject({ code: 0 });
  expect(partial()).toBeUndefined();
  expect(await listed()).toHaveLength(1);
});

test("a second backup beside a running one is refused", async () => {
  const slot = "pg_create_physical_replication_slot('botstead_backup', true, true)";
  await admin.query(`select ${slot}`);
  const { code, stderr } = await run(["backup"]);
  await admin.query("select pg_drop_replication_slot('botstead_backup')");
  expect([code, stderr]).toEqual([1, "Another backup of this database is running.\n"]);
});

test("only the owner can read a backup and the archive", () => {
  const open = [
    backups,
    ...readdirSync(backups, { recursive: true, encoding: "utf8" }).map((name) => join(backups, name)),
  ]
    .filter((path) => statSync(path).mode & 0o077)
    .map((path) => [path, (statSync(path).mode & 0o777).toString(8)]);
  expect(open).toEqual([]);
});

testWithPostgresClient("pg_verifybackup accepts a backup, and refuses it after a change", async () => {
  const [name = ""] = await listed();
  expect(postgresClient("pg_verifybackup", ["--no-parse-wal", folderOf(name)])).toContain("successfully verified");
  const copy = join(home.dataDir, "..", "copy");
  cpSync(folderOf(name), copy, { recursive: true });
  appendFileSync(join(copy, "PG_VERSION"), "x");
  expect(() => postgresClient("pg_verifybackup", ["--no-parse-wal", copy])).toThrow(/PG_VERSION/);
  rmSync(copy, { recursive: true });
});

test("backup verify finds changed, missing and additional files, and faults of the WAL", async () => {
  const [name = ""] = await listed();
  expect(await run(["backup", "verify"])).toMatchObject({ code: 0, stderr: `Backup ${name} is complete.\n` });
  expect(JSON.parse((await run(["backup", "verify", "--json"])).stdout)).toEqual({ name, faults: [] });
  expect(JSON.parse((await run(["backup", "list", "--json"])).stdout)).toContainEqual({
    ...{ name, endedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
  });
  const copies = join(home.dataDir, "..", "copies");
  /** What `verify` and `restore` say of a changed copy. */
  const said = async (change: (folder: string, wal: string) => void) => {
    cpSync(backups, copies, { recursive: true });
    change(join(copies, name), join(copies, name.split("/")[0] ?? "", "wal"));
    const { code, stderr } = await run(["backup", "verify"], { BACKUP_DIR: copies });
    rmSync(copies, { recursive: true });
    expect(code).toBe(1);
    return stderr.split("\n")[0];
  };
  expect(await said((folder) => appendFileSync(join(folder, "global/pg_control"), "x"))).toBe(
    "global/pg_control is damaged.",
  );
  expect(await said((folder) => rmSync(join(folder, "global/pg_control")))).toBe("global/pg_control is missing.");
  expect(await said((folder) => appendFileSync(join(folder, "base/more"), "x"))).toBe(
    "base/more is not in the manifest.",
  );
  expect(await said((folder) => appendFileSync(join(folder, "backup_manifest"), "x"))).toMatch(
    /backup_manifest is damaged/,
  );
  expect(await said((folder) => truncateSync(join(folder, "backup_label")))).toBe("backup_label is damaged.");
  const lastWal = (wal: string) =>
    readdirSync(wal)
      .filter((file) => /^\w{24}$/.test(file))
      .sort()
      .at(-1) ?? "";
  expect(await said((_, wal) => truncateSync(join(wal, lastWal(wal)), 1_000))).toMatch(/^WAL file \w+ is truncated\.$/);
  await admin.query("select pg_switch_wal()");
  for (const _ of [1, 2]) await admin.query("select pg_logical_emit_message(true, 'test', 'x'), pg_switch_wal()");
  await eventually(
    async () => readdirSync(join(archive(), "wal")).filter((file) => /^\w{24}$/.test(file)).length > 4,
    20_000,
  );
  const gap = (_: string, wal: string) => {
    const files = readdirSync(wal)
      .filter((file) => /^\w{24}$/.test(file))
      .sort();
    rmSync(join(wal, files.at(-2) ?? ""));
  };
  expect(await said(gap)).toMatch(/^WAL is missing between \w{24} and \w{24}\.$/);
});

test("backup --keep removes older backups and the WAL that only they need", async () => {
  const [old = ""] = await listed();
  const walBefore = readdirSync(join(archive(), "wal")).sort();
  const { code, stderr } = await run(["backup", "--keep", "1"]);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Backup ${old} is removed.`)]);
  const [left, ...others] = await listed();
  expect([left === old, others]).toEqual([false, []]);
  expect(readdirSync(join(archive(), "wal"))).not.toContain(walBefore[0]);
  expect(await run(["backup", "verify"])).toMatchObject({ code: 0 });
});

test("restore refuses a data folder that is in use, or has a database, and an archive that ends too early", async () => {
  expect(await run(["restore"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is in use by Botstead process \d+\.\n$/),
  });
  await admin.end();
  await started.program.kill("SIGTERM");
  expect(await run(["restore"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/postgres exists: move it away first/),
  });
  const empty = { DATA_DIR: join(home.dataDir, "..", "empty") };
  mkdirSync(empty.DATA_DIR);
  cpSync(join(home.dataDir, "master.key"), join(empty.DATA_DIR, "master.key"));
  const early = await run(["restore", "--to-time", "2020-01-01T00:00:00Z"], empty);
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringMatching(/^There is no complete backup that ended before 2020/),
  ]);
  const late = await run(["restore", "--to-time", "2099-01-01T00:00:00Z"], empty);
  expect([late.code, late.stderr]).toEqual([
    1,
    expect.stringMatching(/The WAL archive has no transaction after 2099.*\n$/),
  ]);
  expect(readdirSync(empty.DATA_DIR).sort()).toEqual(["botstead.lock", "master.key"]);
});

test("a killed restore leaves no database, and the next one completes", async () => {
  const folder = join(home.dataDir, "..", "empty");
  const killed = runProgram(["restore"], { env: { ...env, DATA_DIR: folder } });
  await eventually(async () => readdirSync(folder).some((name) => name.startsWith("restore.new-")));
  await killed.kill("SIGKILL");
  expect(existsSync(join(folder, "postgres"))).toBe(false);
  expect(await run(["restore"], { DATA_DIR: folder })).toMatchObject({ code: 0 });
  expect(readdirSync(folder).sort()).toEqual(["botstead.lock", "master.key", "postgres"]);
});
