/** Copies of the data folder with the commands of docs/backups.md: the data is complete and jobs in progress continue. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Client } from "pg";
import { findDatabase } from "../../src/database/access.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { callerOf } from "../support/api.ts";
import { type Hook, type Hooks, startHooks, status } from "../support/hooks.ts";
import { type Installation, keyIn, makeInstallation } from "../support/installation.ts";
import { expectSigned } from "../support/post-office.ts";
import { command, killPrograms } from "../support/program.ts";
import { signed } from "../support/sign.ts";
import { eventually } from "../support/worker.ts";

let hooks: Hooks;
let first: Installation;
let second: Installation;
let hook: Hook;
let shelf: string;

beforeAll(async () => {
  hooks = await startHooks();
  first = await makeInstallation(hooks.receiver.ca);
  second = await makeInstallation(hooks.receiver.ca);
  shelf = mkdtempSync(join(tmpdir(), "botstead-backup-"));
});

afterAll(async () => {
  await first.remove();
  await second.remove();
  await killPrograms();
  await hooks.close();
  rmSync(shelf, { recursive: true, force: true });
});

/** Shortens the first retry from a minute to 10 s. */
async function shortenRetrySchedule(): Promise<void> {
  const masterKey = loadMasterKey({ dataDir: first.dataDir, masterKey: undefined });
  const url = await findDatabase({ dataDir: first.dataDir, databaseUrl: undefined }, masterKey);
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query("update app.retry_schedule set delay = '10 seconds' where attempt = 1");
  await admin.end();
}

/** The commands of the page's section, for another folder. */
function runAsPrinted(line: RegExp, names: Record<string, string>, cwd: string): void {
  const page = readFileSync(new URL("../../docs/backups.md", import.meta.url), "utf8");
  const [printed] = page.match(line) ?? [];
  if (!printed) throw new Error(`The page does not say ${line}`);
  const said = Object.entries(names).reduce((text, [word, meant]) => text.replaceAll(word, meant), printed);
  const { status: code, stderr } = spawnSync("/bin/sh", ["-c", said], { cwd, encoding: "utf8" });
  expect([said, code, stderr]).toEqual([said, 0, ""]);
}

test("a data folder that is packed and unpacked elsewhere keeps its data and continues", async () => {
  const started = await first.start();
  const key = keyIn(started.panel);
  await shortenRetrySchedule();
  hook = hooks.hook(status(500)); // deliveries sent here wait for another attempt
  const webhook = (await first.call("POST", "/webhooks", key, { url: hook.url, events: ["run.finished"] })).body;
  const [bot] = (await first.call("GET", "/bots", key)).body.data;
  const inbox = (await first.call("POST", "/hooks", key, { botId: bot.id, name: "Alerts" })).body;
  const run = (await first.call("POST", "/runs", key, { botId: bot.id, message: "When does the next release ship?" }))
    .body;
  const delivery = async (from: Installation) =>
    (await from.call("GET", `/webhooks/${webhook.id}/deliveries`, key)).body.data[0];
  await eventually(async () => (await delivery(first))?.attempts === 1);
  const [memories, waiting] = [(await first.call("GET", "/memories", key)).body, await delivery(first)];
  await started.program.kill("SIGTERM");

  const names = { ".botstead": basename(first.dataDir), "botstead-backup": join(shelf, "backup") };
  runAsPrinted(/^tar --create .*$/m, names, dirname(first.dataDir));
  rmSync(first.dataDir, { recursive: true });
  runAsPrinted(/^tar --extract .*$/m, names, dirname(second.dataDir));
  expect(existsSync(second.dataDir)).toBe(true);

  const keyFile = join(second.dataDir, "master.key");
  renameSync(keyFile, `${keyFile}.away`);
  const without = await command(["start"], { env: second.env });
  expect([without.code, without.stderr]).toEqual([
    1,
    expect.stringMatching(/master key .* is missing; restore .* from a backup/),
  ]);
  renameSync(`${keyFile}.away`, keyFile);

  const restored = await second.start();
  expect(keyIn(restored.panel)).toBe(""); // no demo is created in an existing database
  expect((await second.call("GET", "/memories", key)).body).toEqual(memories);
  expect((await second.call("GET", `/runs/${run.id}`, key)).body.state).toBe("completed");
  expect((await delivery(second)).id).toEqual(waiting.id);
  const ready = await fetch(`${second.api.replace("/api/v1", "")}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([200, { database: "ok", migrations: "ok", worker: "ok" }]);

  // The old secrets still work: deliveries are signed with them, and inbound hooks are checked against them.
  hook.answer = status(200);
  const posts = hook.posts().length;
  expect((await second.call("POST", `/webhooks/${webhook.id}/test`, key)).status).toBe(202);
  await eventually(async () => hook.posts().length > posts);
  expectSigned(hook.posts().at(-1), webhook.secret);
  const { headers, raw } = signed(inbox.secret, "The crane is broken");
  const call = callerOf(second.api.replace("/api/v1", ""));
  expect((await call("POST", `/hooks/${inbox.id}/receive`, { headers, raw, idempotencyKey: null })).status).toBe(202);
  await eventually(
    async () => (await second.call("GET", `/runs?limit=1`, key)).body.data[0].state === "completed",
    15_000,
  );
});

test("a delivery that was pending when the folder was packed is sent after unpacking, under the same id", async () => {
  const waited = hook.posts()[0];
  await eventually(
    async () =>
      hook.posts().filter(({ headers }) => headers["webhook-id"] === waited?.headers["webhook-id"]).length > 1,
    30_000,
  );
});
