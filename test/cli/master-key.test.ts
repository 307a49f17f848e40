/** Rotating the master key: no interruption loses a secret, and the old key opens nothing afterwards. */
import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { type PublishedKeys, verifyDelivery } from "../../src/client/index.ts";
import { findDatabase } from "../../src/database/access.ts";
import { openedBy, sealedColumns } from "../../src/database/sealed-columns.ts";
import { keyOf, keysFor, loadMasterKey } from "../../src/secrets/master-key.ts";
import { open, seal } from "../../src/secrets/seal.ts";
import { callerOf } from "../support/api.ts";
import { testDatabase } from "../support/database.ts";
import { type Installation, keyIn, makeInstallation, type Started } from "../support/installation.ts";
import { expectSigned } from "../support/post-office.ts";
import { command, killPrograms, runProgram } from "../support/program.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { signed } from "../support/sign.ts";
import { eventually, longestWaitMs } from "../support/worker.ts";

let receiver: Receiver;
let home: Installation;
let started: Started;
let key: string;
/** The rotation leaves them as they are. */
let publicKeys: PublishedKeys["keys"] | undefined;
let webhook: { id: string; secret: string };
let hook: { id: string; secret: string };

const keyFile = () => join(home.dataDir, "master.key");
const rotate = (env: Record<string, string> = {}) =>
  command(["master-key", "rotate"], { env: { DATA_DIR: home.dataDir, ...env } });
const where = () => ({ dataDir: home.dataDir, databaseUrl: undefined });

/** As administrator of the running embedded database. */
async function admin(): Promise<Client> {
  const url = await findDatabase(where(), loadMasterKey({ dataDir: home.dataDir, masterKey: undefined }));
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

beforeAll(async () => {
  receiver = await startReceiver();
  home = await makeInstallation(receiver.ca);
  started = await home.start();
  key = keyIn(started.panel);
  const url = receiver.url;
  webhook = (await home.call("POST", "/webhooks", key, { url, events: ["run.finished"] })).body;
  await home.call("POST", "/audit/stream", key, { url: "https://siem.example/" });
  const [bot] = (await home.call("GET", "/bots", key)).body.data;
  hook = (await home.call("POST", "/hooks", key, { botId: bot.id, name: "Alerts" })).body;
  expect([webhook.secret, hook.secret]).toEqual([expect.any(String), expect.any(String)]);
  const db = await admin();
  const { sealing } = loadMasterKey({ dataDir: home.dataDir, masterKey: undefined }); // sealed as in version 0.1.0
  await db.query(
    `insert into app.mails (organisation_id, kind, recipient, data, token_sealed, sent_at)
    select organisation_id, 'invitation', 'later@example.test', '{}', $1, now() from app.webhook_endpoints`,
    [seal(sealing, "invitation-token", "bsi_waiting")],
  );
  await db.end();
});

afterAll(async () => {
  await home.remove();
  await killPrograms();
  await receiver.close();
});

/** The uses of secrets: signing a delivery by the endpoint's secret and by the installation's key, checking an inbound hook. */
async function expectSecretsWork(): Promise<void> {
  const posts = receiver.received.length;
  expect((await home.call("POST", `/webhooks/${webhook.id}/test`, key)).status).toBe(202);
  await receiver.waitFor(posts + 1, longestWaitMs);
  const post = receiver.received.at(-1);
  expectSigned(post, webhook.secret);
  const { keys } = (await (await fetch(new URL("/.well-known/webhooks.json", home.api))).json()) as Pick<
    PublishedKeys,
    "keys"
  >;
  const { organisationId } = JSON.parse(post?.body ?? "");
  publicKeys ??= keys;
  expect(keys).toEqual(publicKeys);
  expect(verifyDelivery(post?.body ?? "", post?.headers ?? {}, { keys, organisationId })).toBeDefined();
  const { headers, raw } = signed(hook.secret, "The crane stands still");
  const call = callerOf(home.api.replace("/api/v1", ""));
  expect((await call("POST", `/hooks/${hook.id}/receive`, { headers, raw, idempotencyKey: null })).status).toBe(202);
}

test("rotate fails while the service runs, and changes nothing", async () => {
  const before = readFileSync(keyFile(), "utf8");
  const { code, stderr } = await rotate();
  expect([code, stderr]).toEqual([1, expect.stringMatching(/\w+ .*\.\n$/)]);
  expect(readFileSync(keyFile(), "utf8")).toBe(before);
  await expectSecretsWork();
});

test("rotate with the service stopped reseals everything, and the service continues with the new key", async () => {
  await started.program.kill("SIGTERM");
  const before = readFileSync(keyFile(), "utf8");
  const { code, stderr, stdout } = await rotate();
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toContain("5 secrets are sealed under the new key");
  const after = readFileSync(keyFile(), "utf8");
  expect(after).not.toBe(before);
  expect(stderr).not.toContain(after.trim());
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  expect(existsSync(`${keyFile()}.next`)).toBe(false);

  started = await home.start();
  await expectSecretsWork();
  const db = await admin();
  for (const { table, column, purpose } of sealedColumns) {
    const { rows } = await db.query<{ sealed: Buffer }>(
      `select ${column} as sealed from app.${table} where ${column} is not null`,
    );
    expect([table, rows.length]).toEqual([table, 1]);
    for (const { sealed } of rows) {
      const [current] = keysFor(purpose, keyOf(after));
      expect(open(current, purpose, sealed)).toMatch(/^(whsec_|bsi_|-----BEGIN PRIVATE KEY)/);
      expect(openedBy(keyOf(before), purpose, sealed)).toBeUndefined();
    }
  }
  const { rows: logged } = await db.query(
    "select operator, arguments from operator.actions where action = 'rotate_master_key'",
  );
  expect(logged).toEqual([{ operator: expect.stringMatching(/^.+@.+, command line$/), arguments: {} }]);
  await db.end();
  await expect(findDatabase(where(), keyOf(before))).rejects.toThrow(/another master key/);
});

test("after a rotation interrupted between database and file, start fails with a sentence and rotate completes it", async () => {
  await started.program.kill("SIGTERM");
  // The state after a kill at that moment: the database has the new key, and the file still the old one.
  copyFileSync(keyFile(), `${keyFile()}.old`);
  expect((await rotate()).code).toBe(0);
  copyFileSync(keyFile(), `${keyFile()}.next`);
  copyFileSync(`${keyFile()}.old`, keyFile());
  const refused = await command(["start"], { env: home.env });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("master-key rotate")]);
  const { code, stderr } = await rotate();
  expect([code, stderr]).toEqual([0, expect.stringContaining("0 secrets are sealed")]);
  started = await home.start();
  await expectSecretsWork();
});

test("after a rotation killed before its commit the old key is valid, and the next rotation completes, unless an organisation moves", async () => {
  const [before, external] = [readFileSync(keyFile(), "utf8").trim(), randomBytes(32).toString("base64")];
  await started.program.kill("SIGTERM");
  const apart = await openApart(before);
  try {
    const env = { DATABASE_URL: apart.url, MASTER_KEY: before };
    const withoutNew = await command(["master-key", "rotate"], { env });
    expect([withoutNew.code, withoutNew.stderr]).toEqual([1, expect.stringContaining("Set NEW_MASTER_KEY")]);
    const same = await command(["master-key", "rotate"], { env: { ...env, NEW_MASTER_KEY: before } });
    expect([same.code, same.stderr]).toEqual([1, "NEW_MASTER_KEY equals MASTER_KEY: set it to a new key.\n"]);
    const wrong = { ...env, MASTER_KEY: randomBytes(32).toString("base64"), NEW_MASTER_KEY: external };
    const other = await command(["master-key", "rotate"], { env: wrong });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("Neither key opens")]);

    const holder = new Client({ connectionString: apart.url });
    holder.on("error", () => {});
    await holder.connect();
    await holder.query("begin; comment on role worker is 'held'"); // blocks the passwords, the last step
    const killed = runProgram(["master-key", "rotate"], { env: { ...env, NEW_MASTER_KEY: external } });
    await eventually(async () => (await holder.query("select from pg_locks where not granted")).rowCount !== 0);
    await killed.kill("SIGKILL");
    await holder.query("rollback");
    await eventually(
      async () =>
        (await holder.query("select from pg_stat_activity where backend_type = 'client backend'")).rowCount === 1,
    );
    const { rows } = await holder.query<{ sealed: Buffer }>(
      "select secret_sealed as sealed from app.webhook_endpoints",
    );
    expect(rows.map(({ sealed }) => open(keyOf(before).sealing, "webhook-secret", sealed))).toEqual([webhook.secret]);
    const url = new URL(apart.url);
    [url.username, url.password] = ["server", keyOf(before).password("server")];
    const server = new Client({ connectionString: url.href });
    server.on("error", () => {});
    await server.connect();

    const company = await command(["master-key", "rotate"], { env: { ...env, NEW_MASTER_KEY: external } });
    expect([company.code, company.stderr]).toEqual([
      1,
      expect.stringContaining("Stop the API, the worker and the console first"),
    ]);
    await server.end();
    await holder.query(
      "insert into app.organisation_moves (organisation_id, state, cell) select id, 'leaving', 'east' from app.organisations limit 1",
    );
    const moving = await command(["master-key", "rotate"], { env: { ...env, NEW_MASTER_KEY: external } });
    expect([moving.code, moving.stderr]).toEqual([
      1,
      expect.stringMatching(/moves between cells.*key was not changed\.\n$/),
    ]);
    await holder.query("delete from app.organisation_moves");
    const done = await command(["master-key", "rotate"], { env: { ...env, NEW_MASTER_KEY: external } });
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("5 secrets are sealed")]);
    expect(done.stderr).toContain("Set MASTER_KEY to the new key, print the secrets of each process again");
    const again = await holder.query<{ sealed: Buffer }>("select secret_sealed as sealed from app.webhook_endpoints");
    expect(again.rows.map(({ sealed }) => open(keyOf(external).sealing, "webhook-secret", sealed))).toEqual([
      webhook.secret,
    ]);
    await holder.end();
  } finally {
    await apart.stop();
  }

  /** The fixture's cluster, run by this test as an external server. */
  async function openApart(masterKey: string): Promise<{ url: string; stop(): Promise<void> }> {
    const { openDatabase } = await import("../../src/database/access.ts");
    const database = await openDatabase(where(), keyOf(masterKey), () => {});
    return { url: database.adminUrl, stop: database.stop };
  }
});

test("the rotation covers every sealed column of the database", async () => {
  const db = await testDatabase();
  const rows = await db.sql<{ at: string }>(
    `select table_name || '.' || column_name as at from information_schema.columns
     where table_schema = 'app' and (column_name like '%sealed%') order by 1`,
  );
  // A secret shown once is sealed under a key of its caller.
  expect(rows.map(({ at }) => at)).toEqual(
    [...sealedColumns.map(({ table, column }) => `${table}.${column}`), "idempotency_records.sealed"].toSorted(),
  );
  await db.drop();
});
