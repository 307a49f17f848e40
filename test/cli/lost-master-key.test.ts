/** The loss of the master key of an embedded database, from the refusals to the last rotated secret. (docs/backups.md#a-lost-master-key) */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPostmaster } from "../../src/database/embedded/postmaster.ts";
import { startEmbedded } from "../../src/database/embedded.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { keyOf } from "../../src/secrets/master-key.ts";
import { seal } from "../../src/secrets/seal.ts";
import { callerOf } from "../support/api.ts";
import { type Installation, keyIn, makeInstallation, type Started } from "../support/installation.ts";
import { expectSigned } from "../support/post-office.ts";
import { signalProcess } from "../support/process-tree.ts";
import { command, killPrograms } from "../support/program.ts";
import { query } from "../support/query.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { signed } from "../support/sign.ts";
import { eventually } from "../support/worker.ts";

type Made = { id: string; secret: string };

let receiver: Receiver;
let home: Installation;
let started: Started;
let key: string;
let rotated: Made;
let waiting: Made;
let hook: Made;
let former: string;
/** Deliveries to both endpoints after the loss. */
let tests: [string, string];

const theCommand = "botstead migrate --lost-master-key";
const keyFile = () => join(home.dataDir, "master.key");
const run = (args: string[], env: Record<string, string> = {}) =>
  command(args, {
    env: { DATA_DIR: home.dataDir, PORT: home.env.PORT ?? "", CONSOLE_PORT: home.env.CONSOLE_PORT ?? "", ...env },
  });
const replace = (env?: Record<string, string>) => run(["migrate", "--lost-master-key"], env);
const service = () => home.api.replace("/api/v1", "");

beforeAll(async () => {
  receiver = await startReceiver();
  home = await makeInstallation(receiver.ca);
  started = await home.start();
  key = keyIn(started.panel);
  [rotated, waiting] = [await subscribe("first"), await subscribe("second")];
  const [bot] = (await home.call("GET", "/bots", key)).body.data;
  hook = (await home.call("POST", "/hooks", key, { botId: bot.id, name: "Alerts" })).body;
  const guest = { email: "ada@harbour.example", role: "member" };
  expect((await home.call("POST", "/invitations", key, guest)).status).toBe(201);
  await eventually(async () => mails().length === 1);
  former = readFileSync(keyFile(), "utf8").trim();
});

afterAll(async () => {
  await home.remove();
  await killPrograms();
  await receiver.close();
});

const subscribe = async (path: string): Promise<Made> =>
  (await home.call("POST", "/webhooks", key, { url: `${receiver.url}/${path}`, events: ["run.finished"] })).body;

const postsOf = (deliveryId: string) =>
  receiver.received.filter(({ headers }) => headers["x-botstead-delivery"] === deliveryId);
const mails = () => {
  const folder = join(home.dataDir, "mail");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => readFileSync(join(folder, name), "utf8")).filter((mail) => mail.includes("/invitation/"));
};
const delivery = async (id: string) => (await home.call("GET", `/deliveries/${id}`, key)).body;
const sendTest = async ({ id }: { id: string }): Promise<string> =>
  (await home.call("POST", `/webhooks/${id}/test`, key)).body.id;

async function expectPost(deliveryId: string, secret: string): Promise<void> {
  await eventually(async () => postsOf(deliveryId).length === 1);
  for (const post of postsOf(deliveryId)) expectSigned(post, secret);
}

async function postToHook(secret: string): Promise<number> {
  const { headers, raw } = signed(secret, "The crane stands still");
  const receive = callerOf(service());
  return (await receive("POST", `/hooks/${hook.id}/receive`, { headers, raw, idempotencyKey: null })).status;
}

/** Leaves the invitation as if the worker had not sent it yet, and ends PostgreSQL by kill -9. */
async function crashBeforeMail(): Promise<void> {
  const master = keyOf(former);
  const server = await startEmbedded({ dataDir: home.dataDir, password: master.password("postgres") });
  await query(
    urlOfDatabase("botstead", server.url),
    "update app.mails set sent_at = null, token_sealed = $1 where kind = 'invitation'",
    [seal(master.invitations, "invitation-token", "bsi_former")],
  );
  signalProcess(readPostmaster(join(home.dataDir, "postgres"))?.pid, "SIGKILL");
  await server.lost;
}

test("migrate --lost-master-key refuses a running service, and changes nothing", async () => {
  const { code, stderr } = await replace();
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is in use by Botstead process \d+\.\n$/)]);
  expect(await postToHook(hook.secret)).toBe(202);
});

test("start and other commands refuse another, a damaged or a missing key, and name the command", async () => {
  await started.program.kill("SIGTERM");
  const another = { MASTER_KEY: randomBytes(32).toString("base64") };
  for (const args of [["start"], ["migrate"], ["operator", "list"]]) {
    const { code, stderr } = await run(args, another);
    expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(/created with another master key.*/)]);
    expect(stderr).toContain(theCommand);
  }
  renameSync(keyFile(), `${keyFile()}.away`);
  const missing = await run(["start"]);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/is missing; restore .*master\.key from a backup/),
  ]);
  expect(missing.stderr).toContain(theCommand);
  writeFileSync(keyFile(), "half a k");
  for (const args of [["start"], ["migrate", "--lost-master-key"]]) {
    const damaged = await run(args);
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringMatching(/damaged.*remove its file/)]);
    expect(damaged.stderr).toContain(theCommand);
  }
  renameSync(`${keyFile()}.away`, keyFile());
});

test("with the former key in place, the command finds nothing lost", async () => {
  const { code, stdout, stderr } = await replace();
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toContain("The master key opens every secret.\n");
  expect(readFileSync(keyFile(), "utf8").trim()).toBe(former);
});

test("after kill -9 and the loss, the command makes a key, says what is lost, and can be repeated", async () => {
  await crashBeforeMail();
  for (const mail of readdirSync(join(home.dataDir, "mail"))) rmSync(join(home.dataDir, "mail", mail));
  rmSync(keyFile());
  const { code, stdout, stderr } = await replace();
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^This replaces the passwords of all logins/)]);
  expect(stderr).toContain("Secrets of webhook endpoints and hooks that are lost: 3.\n");
  expect(stderr).toContain("Signing keys that are withdrawn: 1. Unsent invitations with a new link: 1.\n");
  expect(stderr).toContain(`The master key is now in ${keyFile()}.`);
  expect(stdout.split("\n").map((line) => line.split("\t").slice(0, 2))).toEqual([
    ["webhook endpoint", rotated.id],
    ["webhook endpoint", waiting.id],
    ["hook", hook.id],
    [""],
  ]);
  const made = readFileSync(keyFile(), "utf8").trim();
  expect(made).not.toBe(former);
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  expect(stderr).not.toContain(made);
  const again = await replace();
  expect([again.code, again.stdout]).toEqual([0, stdout]);
  expect(again.stderr).toContain("Signing keys that are withdrawn: 0. Unsent invitations with a new link: 0.\n");
  expect(readFileSync(keyFile(), "utf8").trim()).toBe(made);
});

test("the service starts; deliveries wait with the cause, the hook answers 503, and status and doctor name all three", async () => {
  started = await home.start();
  tests = [await sendTest(rotated), await sendTest(waiting)];
  for (const id of tests) {
    await eventually(async () => (await delivery(id)).attempts === 1);
    expect(await delivery(id)).toMatchObject({ state: "pending", lastFailure: "secret", maxAttempts: 6 });
  }
  expect(tests.flatMap(postsOf)).toEqual([]);
  expect(await postToHook(hook.secret)).toBe(503);
  const status = await run(["status", "--json"]);
  const { issues } = JSON.parse(status.stdout) as { issues: Record<string, string>[] };
  const lost = issues.filter(({ category }) => category === "lost_secret");
  const actions = lost.map(({ suggested_action }) => suggested_action).join("\n");
  expect([status.code, lost.length]).toEqual([1, 3]);
  for (const path of [`/webhooks/${rotated.id}`, `/webhooks/${waiting.id}`, `/hooks/${hook.id}`]) {
    expect(actions).toContain(`POST ${path}/rotate`);
  }
  const { checks } = JSON.parse((await run(["doctor", "--json"])).stdout) as { checks: Record<string, string>[] };
  expect(checks.find(({ check }) => check === "secrets")).toMatchObject({
    result: "failed",
    found: expect.stringContaining(`hook ${hook.id}`),
  });
});

test("the unsent invitation is sent with a new link, which works", async () => {
  await eventually(async () => mails().length === 1);
  const link = mails()[0]?.match(/\/invitation\/bsi_\w+/)?.[0];
  expect(link).not.toContain("bsi_former");
  const page = await fetch(`${service()}${link}`, {
    method: "POST",
    body: new URLSearchParams({ displayName: "Ada" }),
  });
  expect(page.status).toBe(200);
  const { body } = await home.call("GET", "/members", key);
  expect(JSON.stringify(body)).toContain("ada@harbour.example");
});

test("after a rotation the waiting deliveries arrive at once, and the hook works", async () => {
  const { secret } = (await home.call("POST", `/webhooks/${rotated.id}/rotate`, key)).body;
  await expectPost(tests[0], secret);
  const renewed = (await home.call("POST", `/hooks/${hook.id}/rotate`, key)).body;
  expect(await postToHook(renewed.secret)).toBe(202);
  expect(postsOf(tests[1])).toEqual([]);
  const { stdout } = await run(["status", "--json"]);
  const { issues } = JSON.parse(stdout) as { issues: Record<string, string>[] };
  expect(issues.filter(({ category }) => category === "lost_secret")).toHaveLength(1);
});

test("master-key rotate leaves lost secrets alone, and opens them again with the former key", async () => {
  await started.program.kill("SIGTERM");
  const next = await run(["master-key", "rotate"]);
  expect([next.code, next.stderr]).toEqual([0, expect.stringContaining("3 secrets are sealed under the new key")]);
  const current = readFileSync(keyFile(), "utf8").trim();
  const found = await run(["master-key", "rotate"], { MASTER_KEY: former, NEW_MASTER_KEY: current });
  expect([found.code, found.stderr]).toEqual([0, expect.stringContaining("1 secrets are sealed under the new key")]);
  started = await home.start();
  await expectPost(tests[1], waiting.secret);
  const { code, stdout } = await run(["status", "--json"]);
  expect([code, JSON.parse(stdout).issues]).toEqual([0, []]);
});

test("restore --lost-master-key restores a backup whose key is lost, and the service starts after the command", async () => {
  const backups = { BACKUP_DIR: join(dirname(home.dataDir), "backups") };
  chmodSync(dirname(home.dataDir), 0o755); // PostgreSQL does not run as root
  await started.program.kill("SIGTERM");
  started = await home.start({ env: backups });
  const { id } = await subscribe("third");
  expect((await run(["backup"], backups)).code).toBe(0);
  await started.program.kill("SIGTERM");
  rmSync(home.dataDir, { recursive: true });

  const another = await run(["restore"], { ...backups, MASTER_KEY: randomBytes(32).toString("base64") });
  const missing = await run(["restore"], backups);
  for (const { code, stderr } of [another, missing]) {
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("If it is lost, run: botstead restore --lost-master-key\n"),
    ]);
  }
  expect(existsSync(join(home.dataDir, "postgres"))).toBe(false);
  const restored = await run(["restore", "--lost-master-key"], backups);
  expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining(`run: ${theCommand}\n`)]);
  const { code, stdout } = await replace(backups);
  expect([code, stdout.split("\n").map((line) => line.split("\t")[1])]).toEqual([
    0,
    [rotated.id, waiting.id, id, hook.id, undefined],
  ]);
  started = await home.start({ env: backups });
  const test = await sendTest({ id });
  const { secret } = (await home.call("POST", `/webhooks/${id}/rotate`, key)).body;
  await expectPost(test, secret);
});
