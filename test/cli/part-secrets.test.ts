/**
 * Each process has only its own secrets: its environment opens no other login, and suffices for everything it does
 * (docs/deploying.md).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { freePort } from "../../src/database/embedded/port.ts";
import { type LoginRole, loginRoles } from "../../src/database/roles.ts";
import { withoutLogin } from "../../src/database/urls.ts";
import { keyOf } from "../../src/secrets/master-key.ts";
import { parts } from "../../src/secrets/part-secrets.ts";
import { allowIn, callerOf } from "../support/api.ts";
import { auditedDatabase } from "../support/audited.ts";
import { consoleProcess, mintToken } from "../support/console.ts";
import { makeKey, makeOrganisation, type TestDatabase } from "../support/database.ts";
import { makeInstallation } from "../support/installation.ts";
import { expectSigned } from "../support/post-office.ts";
import { command, killPrograms, runApi, runProgram } from "../support/program.ts";
import { startReceiver } from "../support/receiver.ts";
import { signed } from "../support/sign.ts";
import { startSmtp, wordsOf } from "../support/smtp.ts";
import { eventually, longestWaitMs } from "../support/worker.ts";

let db: TestDatabase;
let folder: string;
beforeAll(async () => {
  db = await auditedDatabase();
  folder = mkdtempSync(join(tmpdir(), "botstead-secrets-"));
});
afterAll(async () => {
  await killPrograms();
  await db.drop();
  rmSync(folder, { recursive: true });
});

type Environment = Record<string, string>;

const environmentOf = (pid: number): Environment =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );

/** Every value in it that may be a password, and every password derived from a key in it. */
function passwordsIn(environment: Environment, role: string): string[] {
  const values = Object.entries(environment)
    .filter(([name]) => !["PATH", "HOME", "PWD"].includes(name))
    .map(([, value]) => value);
  const inAddresses = values.filter((value) => URL.canParse(value)).map((value) => new URL(value).password);
  const derived = values.filter((value) => /^[\w+/-]{43}=?$/.test(value)).map((value) => keyOf(value).password(role));
  return [...new Set([...values, ...inAddresses, ...derived])].filter((value) => value !== "");
}

async function opens(role: string, password: string): Promise<boolean> {
  const url = new URL(withoutLogin(db.adminUrl));
  url.username = role;
  url.password = password;
  const client = new Client({ connectionString: url.href });
  try {
    await client.connect();
    return true;
  } catch (error) {
    expect((error as { code: string }).code).toBe("28P01"); // other faults would have no effect here
    return false;
  } finally {
    await client.end();
  }
}

/** The logins that the values of this environment open. */
async function loginsOpenedBy(environment: Environment): Promise<string[]> {
  const opened: string[] = [];
  for (const role of [...loginRoles, "postgres"]) {
    const tried = await Promise.all(passwordsIn(environment, role).map((password) => opens(role, password)));
    if (tried.includes(true)) opened.push(role);
  }
  return opened;
}

const own: Record<"api" | "worker" | "console", { logins: LoginRole[]; secrets: string[] }> = {
  api: { logins: ["server"], secrets: ["DATABASE_PASSWORD", "SEALING_KEY", "WEBHOOK_PROXY"] },
  worker: {
    logins: ["worker", "runner"],
    secrets: [
      "DATABASE_PASSWORD",
      "EXECUTOR_PASSWORD",
      "SEALING_KEY",
      "AUDIT_KEY",
      "SMTP_URL",
      "MODEL_API_KEY",
      "WEBHOOK_PROXY",
    ],
  },
  console: { logins: ["operator"], secrets: ["DATABASE_PASSWORD", "INVITATION_KEY"] },
};
const secretSettings = [
  ...new Set([...Object.values(own).flatMap(({ secrets }) => secrets), "MASTER_KEY", "PGPASSWORD"]),
];

test("start gives each process only its own secrets, and they open no other login", async () => {
  const home = await makeInstallation(undefined, {
    DATABASE_URL: db.adminUrl,
    MASTER_KEY: db.masterKey,
    PGPASSWORD: new URL(db.adminUrl).password,
    SMTP_URL: "smtp://mailer:secret@127.0.0.1:9",
    MODEL_BASE_URL: "http://127.0.0.1:9/v1",
    MODEL_API_KEY: "sk-model",
    WEBHOOK_PROXY: "http://bots:secret@127.0.0.1:9",
  });
  try {
    const started = await home.start();
    const processes = started.parts();
    expect(await loginsOpenedBy(environmentOf(processes.main?.pid ?? 0))).toEqual([...loginRoles, "postgres"]); // otherwise it would print them
    for (const part of ["api", "worker", "console"] as const) {
      const environment = environmentOf(processes[part]?.pid ?? 0);
      const present = secretSettings.filter((name) => environment[name]);
      expect([part, present.toSorted()]).toEqual([part, own[part].secrets.toSorted()]);
      const address = new URL(environment.DATABASE_URL ?? "");
      expect([part, address.username, address.password]).toEqual([part, "", ""]);
      expect([part, (await loginsOpenedBy(environment)).toSorted()]).toEqual([part, own[part].logins.toSorted()]);
    }
    await started.program.kill("SIGTERM");
  } finally {
    await home.remove();
  }
});

const secretsFor = async (part: string): Promise<Environment> => {
  const { code, stdout, stderr } = await command(["secrets", part], { cwd: folder, env: { MASTER_KEY: db.masterKey } });
  expect([part, code, stderr]).toEqual([part, 0, ""]);
  const lines = stdout.trim().split("\n");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
};
const at = () => ({ DATABASE_URL: withoutLogin(db.adminUrl), DATA_DIR: join(folder, "data") });

test.each([
  ["api", ["server"]],
  ["worker", ["worker", "runner"]],
  ["console", ["operator"]],
  ["cli", ["cli"]],
  ["auditor", ["auditor"]],
])("what `botstead secrets %s` prints opens the logins %p alone", async (part, logins) => {
  expect(parts).toContain(part);
  expect((await loginsOpenedBy(await secretsFor(part))).toSorted()).toEqual(logins.toSorted());
});

test("API, worker, console and command line work without the master key", async () => {
  const [receiver, smtp] = [await startReceiver(), await startSmtp()];
  const ca = join(folder, "ca.pem");
  writeFileSync(ca, receiver.ca);
  const port = String(await freePort());
  const allowed = { WEBHOOK_ALLOW_RANGES: "127.0.0.0/8,::1/128", WEBHOOK_CA_FILE: ca };
  await allowIn(db, allowed);
  try {
    await runApi({ ...at(), ...(await secretsFor("api")), ...allowed, PORT: port });
    runProgram(["worker"], { env: { ...at(), ...(await secretsFor("worker")), ...allowed, SMTP_URL: smtp.url } });
    const console = await consoleProcess({ ...at(), ...(await secretsFor("console")) });
    const { id, ownerId, email } = await makeOrganisation(db);
    const { text: key } = await makeKey(db, id, ownerId, "admin");
    const call = callerOf(`http://127.0.0.1:${port}`);

    // The API seals a secret, and the worker opens it.
    const webhook = await call("POST", "/webhooks", { key, body: { url: receiver.url, events: ["run.finished"] } });
    expect(webhook.status).toBe(201);
    expect((await call("POST", `/webhooks/${webhook.body.id}/test`, { key })).status).toBe(202);
    await receiver.waitFor(1, longestWaitMs);
    expectSigned(receiver.received[0], String(webhook.body.secret));

    // The API opens a secret that it sealed.
    const bot = await call("POST", "/bots", { key, body: { name: "Ada", instructions: "Help" } });
    const hook = await call("POST", "/hooks", { key, body: { botId: bot.body.id, name: "Alerts" } });
    const { headers, raw } = signed(String(hook.body.secret), "The crane stands still");
    expect((await call("POST", `/hooks/${hook.body.id}/receive`, { headers, raw, idempotencyKey: null })).status).toBe(
      202,
    );

    // The console seals a link, and the worker mails it: that link is accepted.
    const guest = `guest.${process.pid}@example.test`;
    const invited = await call("POST", "/invitations", { key, body: { email: guest, role: "member" } });
    expect(invited.status).toBe(201);
    const links = () =>
      smtp.messages
        .filter(({ to }) => to.includes(guest))
        .map(({ source }) => wordsOf(source).match(/\/invitation\/(bsi_\w{49})/)?.[1]);
    await eventually(async () => links().length === 1);
    const { data } = await console.ask(
      "mutation ($input: ResendInvitationInput!) { resendInvitation(input: $input) { result } }",
      (await mintToken(db, "act")).text,
      { input: { organisation: id, invitation: invited.body.id, reason: "It was lost." } },
    );
    expect(data?.resendInvitation?.result).toMatchObject({ id: invited.body.id });
    await eventually(async () => links().length === 2);
    const [first, second] = links();
    const page = (token = "") => fetch(`http://127.0.0.1:${port}/invitation/${token}`).then(({ status }) => status);
    expect(second).not.toBe(first);
    expect([await page(first), await page(second)]).toEqual([404, 200]);

    const cli = { ...at(), ...(await secretsFor("cli")) };
    const minted = await command(["key", "mint", "--organisation", id, "--person", email, "--name", "By login"], {
      cwd: folder,
      env: cli,
    });
    expect([minted.code, minted.stderr]).toEqual([0, ""]);
    expect((await call("GET", "/me", { key: minted.stdout.trim() })).status).toBe(200);
    const auditor = { ...at(), ...(await secretsFor("auditor")) };
    expect((await command(["audit"], { cwd: folder, env: auditor })).code).toBe(0);
  } finally {
    await Promise.all([receiver.close(), smtp.close()]);
  }
});

test("a process with the secrets of another, or too few, names those it needs", async () => {
  const others = { ...at(), ...(await secretsFor("console")) };
  expect(await command(["worker"], { cwd: folder, env: others })).toMatchObject({
    code: 1,
    stderr:
      'EXECUTOR_PASSWORD and SEALING_KEY and AUDIT_KEY must be set: "botstead secrets worker" prints what this process needs.\n',
  });
  for (const args of [["migrate"], ["start"], ["database-url"], ["master-key", "rotate"]]) {
    const { code, stderr } = await command(args, { cwd: folder, env: others });
    expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining("MASTER_KEY")]);
  }
  const nowhere = await command(["secrets", "api"], { cwd: folder, env: { DATA_DIR: join(folder, "none") } });
  expect([nowhere.code, nowhere.stdout]).toEqual([1, ""]);
  expect(nowhere.stderr).toBe(`There is no master key in ${join(folder, "none")}: set MASTER_KEY.\n`);
});

test("a process refuses both the master key and its own secrets", async () => {
  const both = { ...at(), ...(await secretsFor("console")), MASTER_KEY: db.masterKey };
  const { code, stderr } = await command(["console"], { cwd: folder, env: both });
  expect(code).toBe(1);
  expect(stderr).toContain("DATABASE_PASSWORD and MASTER_KEY can't both be set");
  expect(stderr).toContain("INVITATION_KEY and MASTER_KEY can't both be set");
});
