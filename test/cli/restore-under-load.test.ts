/**
 * A base backup under load, then a kill of every process, then restores: to a time, and of the whole archive. What was
 * acknowledged before that time is there, what was begun after it is not.
 */
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Client } from "pg";
import { findDatabase } from "../../src/database/access.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { counted } from "../support/endpoint-counts.ts";
import { type Hook, type Hooks, startHooks, status } from "../support/hooks.ts";
import { type Installation, keyIn, makeInstallation } from "../support/installation.ts";
import { processTree, signalAll } from "../support/process-tree.ts";
import { command, killPrograms } from "../support/program.ts";
import { query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";

type Write = { mark: string; begunAt: number; acknowledgedAt?: number };

const shelf = mkdtempSync(join(tmpdir(), "botstead-backups-"));
const writes: Write[] = [];
let hooks: Hooks;
let first: Installation;
let key: string;
let until: Date;
let sent: Hook;
let waiting: Hook;
let pending: string;
let deliveredIds: unknown[];

beforeAll(async () => {
  chmodSync(shelf, 0o755); // PostgreSQL does not run as root
  hooks = await startHooks();
  first = await makeInstallation(hooks.receiver.ca, { BACKUP_DIR: join(shelf, "backups") });
});
afterAll(async () => {
  await first.remove();
  await killPrograms();
  await hooks.close();
  rmSync(shelf, { recursive: true, force: true });
});

const acknowledged = () => writes.filter(({ acknowledgedAt }) => acknowledgedAt);
const idsAt = (hook: Hook) => hook.posts().map(({ headers }) => headers["webhook-id"]);

/** Writes memories one after another until `stop`. */
function startWriting(): { stop(): Promise<void> } {
  let stopped = false;
  const writing = (async () => {
    while (!stopped) {
      const write: Write = { mark: `mark ${writes.length}`, begunAt: Date.now() };
      writes.push(write);
      const memory = { scope: "organisation", kind: "fact", subject: "We", value: write.mark, lawfulBasis: "consent" };
      const { status: code } = await first.call("POST", "/memories", key, memory);
      if (code === 201) write.acknowledgedAt = Date.now();
      await sleep(100); // pace of a client within its rate limit
    }
  })();
  return {
    async stop() {
      stopped = true;
      await writing;
    },
  };
}

async function untilMoreWrites(count: number): Promise<void> {
  const wanted = acknowledged().length + count;
  await eventually(async () => acknowledged().length >= wanted);
}

/** The URL of the running database of an installation, as superuser. */
async function databaseOf({ dataDir }: Installation): Promise<string> {
  const masterKey = loadMasterKey({ dataDir, masterKey: undefined });
  return (await findDatabase({ dataDir, databaseUrl: undefined }, masterKey)) ?? "";
}

/** An empty data folder with the master key, and what `restore` says there. */
async function restoreTo(...options: string[]): Promise<Installation> {
  const home = await makeInstallation(hooks.receiver.ca, {
    BACKUP_DIR: join(shelf, "backups"),
    DATA_DIR: mkdtempSync(join(shelf, "data-")),
  });
  const withoutKey = await command(["restore", ...options], { env: home.env });
  expect([withoutKey.code, withoutKey.stderr]).toEqual([1, expect.stringMatching(/^The master key is missing: /)]);
  cpSync(join(first.dataDir, "master.key"), join(home.dataDir, "master.key"));
  const { code, stderr } = await command(["restore", ...options], { env: home.env });
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/is restored.*\. Start Botstead, then take a new backup\.\n$/),
  ]);
  return home;
}

const marksIn = async (home: Installation) =>
  new Set(
    (await query<{ value: string }>(await databaseOf(home), "select value from app.memories")).map(
      ({ value }) => value,
    ),
  );

test("backup completes while clients write, is recorded, and says that the master key is not in it", async () => {
  const started = await first.start();
  key = keyIn(started.panel);
  await query(await databaseOf(first), "update app.retry_schedule set delay = '15 seconds'");
  const [bot] = (await first.call("GET", "/bots", key)).body.data;
  sent = hooks.hook(status(200));
  await first.call("POST", "/webhooks", key, { url: sent.url, events: ["run.finished"] });
  await first.call("POST", "/runs", key, { botId: bot.id, message: "When is support?" });
  await eventually(async () => sent.posts().length === 1);

  const writing = startWriting();
  await untilMoreWrites(10);
  const { code, stderr } = await command(["backup"], { env: first.env });
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /^Backup \S+ is complete: \d+ MB\.\nThe master key is not in the backup\. Keep \S+master\.key elsewhere/,
    ),
  ]);
  const [noted] = await query<{ action: string }>(
    await databaseOf(first),
    "select action, extract(epoch from created_at)::float8 as at from app.operator_commands order by id desc limit 1",
  );
  expect(noted).toMatchObject({ action: "back_up" });
  await eventually(async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${first.env.CONSOLE_PORT}/metrics`)).text();
    const [, at] = metrics.match(/^botstead_last_backup_timestamp_seconds(?:{.*})? (\S+)$/m) ?? [];
    return Math.abs(Number(at) - Date.now() / 1000) < 60;
  });

  // A delivery that waits for its next attempt when the time of the restore comes.
  waiting = hooks.hook(status(500));
  await first.call("POST", "/webhooks", key, { url: waiting.url, events: ["run.finished"] });
  await first.call("POST", "/runs", key, { botId: bot.id, message: "When is support?" });
  await eventually(async () => waiting.posts().length === 1 && sent.posts().length === 2);
  const isRecorded = "select count(*)::int as left from app.deliveries where state = 'pending' and attempts = 0";
  await eventually(async () => (await query<{ left: number }>(await databaseOf(first), isRecorded))[0]?.left === 0);
  pending = String(idsAt(waiting)[0]);
  deliveredIds = idsAt(sent);
  await untilMoreWrites(10);
  until = new Date();
  await untilMoreWrites(10);
  await writing.stop();

  const admin = new Client({ connectionString: await databaseOf(first) });
  await admin.connect();
  const [{ last }] = (await admin.query("select pg_walfile_name(pg_switch_wal()) as last")).rows;
  const archived = "select left(last_archived_wal, 24) >= $1 as done from pg_stat_archiver";
  await eventually(async () => (await admin.query(archived, [last])).rows[0].done);
  await admin.end();
  const tree = processTree(started.program.child.pid ?? 0);
  signalAll(tree, "SIGKILL");
  await started.program.ending;
});

test("restore --to-time has every write acknowledged before that time, and none begun after it", async () => {
  const home = await restoreTo("--to-time", until.toISOString());
  const before = [idsAt(sent).length, idsAt(waiting).length];
  const started = await home.start();
  const marks = await marksIn(home);
  const due = acknowledged().filter(({ acknowledgedAt = 0 }) => acknowledgedAt <= until.getTime());
  expect(due.length).toBeGreaterThanOrEqual(20);
  expect(due.filter(({ mark }) => !marks.has(mark))).toEqual([]);
  const later = writes.filter(({ begunAt }) => begunAt > until.getTime());
  expect(later.length).toBeGreaterThanOrEqual(9);
  expect(later.filter(({ mark }) => marks.has(mark))).toEqual([]);

  const audit = await command(["audit", "--findings"], { env: home.env });
  expect([audit.code, audit.stderr]).toEqual([0, ""]);
  const commands = await query<{ action: string }>(
    await databaseOf(home),
    "select action from app.operator_commands order by id",
  );
  expect(commands.map(({ action }) => action)).toEqual(["back_up", "restore"]);

  // The delivery that was pending then is sent again under its id. What had been delivered by then is not.
  waiting.answer = status(200);
  await eventually(async () => idsAt(waiting).slice(before[1]).includes(pending));
  expect(
    idsAt(sent)
      .slice(before[0])
      .filter((id) => deliveredIds.includes(id)),
  ).toEqual([]);
  const url = await databaseOf(home);
  const counts = () => counted((text) => query(url, text));
  await eventually(async () => isDeepStrictEqual(...(await counts()))); // the worker records meanwhile
  expect((await counts())[0]).not.toEqual([]);
  await started.program.kill("SIGTERM");
  await home.remove();
});

test("restore without a time has every acknowledged write whose WAL was archived, and begins an archive of its own", async () => {
  const home = await restoreTo();
  const started = await home.start();
  const marks = await marksIn(home);
  expect(acknowledged().filter(({ mark }) => !marks.has(mark))).toEqual([]);
  const { code } = await command(["backup"], { env: home.env });
  expect(code).toBe(0);
  const { stdout } = await command(["backup", "list"], { env: home.env });
  expect(
    new Set(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split("/")[0]),
    ).size,
  ).toBe(2);
  await started.program.kill("SIGTERM");
  await home.remove();
});
