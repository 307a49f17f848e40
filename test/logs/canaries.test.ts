/**
 * Canaries: every secret, address and word that passes through the service, with all processes logging all they can, in what
 * goes well, in each way of being refused and in each fault. None of them comes to a log or to /metrics.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { SMTPServer } from "smtp-server";
import { findDatabase } from "../../src/database/access.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { open } from "../../src/secrets/seal.ts";
import { callerOf, type TestApi } from "../support/api.ts";
import { freePort, type House, house, keyIn, type Started } from "../support/house.ts";
import { scrape } from "../support/metrics.ts";
import { command, killPrograms } from "../support/program.ts";
import { signed } from "../support/sign.ts";
import { eventually } from "../support/worker.ts";

const canary = (what: string) => `canary-${what}-${randomUUID().slice(0, 8)}`;
/** What must be found nowhere, by what it is. */
const canaries: Record<string, string> = {
  message: canary("message"),
  claim: canary("claim"),
  subject: canary("subject"),
  botName: canary("bot"),
  instructions: canary("instructions"),
  invited: `${canary("ivy")}@example.test`,
  idempotencyKey: canary("idempotency"),
  path: canary("path"),
  query: canary("query"),
  malformed: canary("malformed"),
  wrongKey: `bsk_${canary("wrong")}`,
  webhookToken: canary("token-in-url"),
  hookMessage: canary("hook"),
  modelKey: canary("model-key"),
  modelAnswer: canary("model-answer"),
  smtpPassword: canary("smtp-password"),
  proxyPassword: canary("proxy-password"),
};

let home: House;
let started: Started;
let models: Server;
let smtp: SMTPServer;
let call: TestApi["call"];
let key: string;
let db: Client;
let panel: string;
const failures: string[] = [];

const listening = (server: Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
  );

async function connect(): Promise<Client> {
  const where = { dataDir: home.dataDir, databaseUrl: undefined };
  const url = await findDatabase(where, loadMasterKey({ dataDir: home.dataDir, masterKey: undefined }));
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}

const logOf = (name: string) => readFileSync(join(home.dataDir, name), "utf8");
const lines = () =>
  logOf("botstead.log")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

beforeAll(async () => {
  // What others say of what they were told is what finds its way into logs: each says all of it back.
  models = createServer((request, response) => {
    if (request.url === "/models") {
      response.setHeader("content-type", "application/json");
      return void response.end(JSON.stringify({ object: "list", data: [{ id: "parrot", object: "model" }] }));
    }
    let asked = "";
    request.on("data", (part) => (asked += part));
    request.on("end", () => {
      failures.push("model");
      response.writeHead(400, { "content-type": "application/json" });
      const message = `${canaries.modelAnswer} ${request.headers.authorization} ${asked}`;
      response.end(JSON.stringify({ error: { message, type: "invalid_request_error", code: canaries.modelAnswer } }));
    });
  });
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onAuth: (_auth, _session, callback) => callback(null, { user: "botstead" }),
    onRcptTo({ address }, _session, callback) {
      failures.push("mail");
      callback(Object.assign(new Error(`<${address}> is not known here`), { responseCode: 450 }));
    },
  });
  smtp.on("error", () => {}); // who sends a mail is cut off among other things
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const smtpPort = (smtp.server.address() as AddressInfo).port;
  home = await house(undefined, {
    LOG_LEVEL: "trace",
    METRICS_PORT: String(await freePort()),
    MODEL_BASE_URL: `http://127.0.0.1:${await listening(models)}`,
    MODEL_API_KEY: canaries.modelKey ?? "",
    SMTP_URL: `smtp://botstead:${canaries.smtpPassword}@127.0.0.1:${smtpPort}`,
    WEBHOOK_PROXY: `http://botstead:${canaries.proxyPassword}@127.0.0.1:${await freePort()}`,
    WEBHOOK_ALLOW_RANGES: "127.0.0.0/8",
  });
  started = await home.start();
  panel = started.panel;
  call = callerOf(home.api.replace("/api/v1", ""));
  const { stdout } = await command(
    ["key", "mint", "--organisation", "Demo", "--person", "owner@demo.example", "--name", "canary", "--scope", "admin"],
    { env: home.env },
  );
  key = stdout.trim();
  canaries.key = key;
  canaries.demoKey = keyIn(panel);
  const operator = await command(["operator", "mint", "--name", "Otto", "--scope", "act"], { env: home.env });
  canaries.operatorToken = operator.stdout.trim();
  await command(["model-price", "set", "parrot", "--input", "1", "--output", "1", "--reason", "test"], {
    env: home.env,
  });
  db = await connect();
}, 90_000);

afterAll(async () => {
  await db?.end().catch(() => {});
  await home.remove();
  await killPrograms();
  models.close();
  models.closeAllConnections();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});

const send = (method: string, path: string, body?: unknown, more: object = {}) =>
  call(method, path, { key, body, ...more });
const statusOf = async (reply: ReturnType<typeof send>) => (await reply).status;

test("what goes well", async () => {
  const bot = (await send("POST", "/bots", { name: canaries.botName, instructions: canaries.instructions })).body;
  const claim = { scope: "organisation", kind: "fact", subject: canaries.subject, value: canaries.claim };
  expect(await statusOf(send("POST", "/memories", claim, { idempotencyKey: canaries.idempotencyKey }))).toBe(201);
  expect(await statusOf(send("GET", `/memories?q=${canaries.subject}`))).toBe(200);
  const run = await send("POST", "/runs", { botId: bot.id, message: canaries.message });
  expect(run.status).toBe(202);
  expect((await send("GET", `/runs/${run.body.id}?wait=10`)).body.state).toBe("completed");
  const webhook = await send("POST", "/webhooks", {
    url: `https://127.0.0.1:${await freePort()}/in?token=${canaries.webhookToken}`,
    events: ["run.finished"],
  });
  expect(webhook.status).toBe(201);
  canaries.webhookSecret = webhook.body.secret;
  const hook = (await send("POST", "/hooks", { botId: bot.id, name: "Alerts" })).body;
  canaries.hookSecret = hook.secret;
  const posted = signed(hook.secret, canaries.hookMessage ?? "");
  expect(await statusOf(call("POST", `/hooks/${hook.id}/receive`, { ...posted, idempotencyKey: null }))).toBe(202);
  const rotated = await send("POST", "/keys", { name: "Another", scope: "read", expiresInDays: 1 });
  canaries.secondKey = rotated.body.key ?? rotated.body.secret ?? rotated.body.token;
  expect(canaries.secondKey).toMatch(/^bsk_/);
  const graphql = await fetch(`http://127.0.0.1:${home.env.CONSOLE_PORT}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${canaries.operatorToken}` },
    body: JSON.stringify({ query: `{ __typename # ${canaries.query}\n }` }),
  });
  expect(graphql.status).toBe(200);
});

test("what is refused, in each way", async () => {
  const claim = { scope: "organisation", kind: "fact", subject: canaries.subject, value: canaries.claim };
  const again = { idempotencyKey: canaries.idempotencyKey };
  const refused = [
    statusOf(call("GET", "/me", { key: canaries.wrongKey })),
    statusOf(send("GET", `/${canaries.path}`)),
    statusOf(send("GET", `/bots?limit=${canaries.query}`)),
    statusOf(send("POST", "/memories", undefined, { raw: `{"value":"${canaries.malformed}` })),
    statusOf(send("POST", "/memories", { ...claim, kind: canaries.malformed?.repeat(20) })),
    statusOf(send("POST", "/memories", { ...claim, value: "another" }, again)),
    statusOf(send("PUT", "/memories", { value: canaries.claim })),
    statusOf(send("POST", "/memories", { ...claim, kind: "health", subjectKind: "third_party" })),
    statusOf(
      send("POST", "/webhooks", {
        url: `https://user:${canaries.webhookToken}@example.com/`,
        events: ["run.finished"],
      }),
    ),
    statusOf(send("POST", "/memories", { ...claim, value: canaries.claim?.repeat(60_000) })),
  ];
  expect(await Promise.all(refused)).toEqual([401, 404, 400, 400, 400, 422, 405, 403, 400, 413]);
  const [console_, site] = [`http://127.0.0.1:${home.env.CONSOLE_PORT}`, home.api.replace("/api/v1", "")];
  expect(
    (await fetch(`${console_}/graphql`, { headers: { authorization: `Bearer ${canaries.wrongKey}` } })).status,
  ).toBe(401);
  expect((await fetch(`${site}/invitation/${canaries.wrongKey}`)).status).toBe(404);
  expect((await fetch(`${site}/${canaries.path}?${canaries.query}`)).status).toBe(404);
});

test("a mail that its server refuses, quoting the address", async () => {
  expect(await statusOf(send("POST", "/invitations", { email: canaries.invited, role: "member" }))).toBe(201);
  await eventually(async () => failures.includes("mail"));
  await eventually(async () => lines().some(({ job }) => job === "send_mail"));
  const { rows } = await db.query<{ token_sealed: Buffer }>(
    "select token_sealed from app.mails where token_sealed is not null",
  );
  const { sealing } = loadMasterKey({ dataDir: home.dataDir, masterKey: undefined });
  canaries.invitationToken = open(sealing, "invitation-token", rows[0]?.token_sealed ?? Buffer.alloc(0));
  expect((await fetch(`${home.api.replace("/api/v1", "")}/invitation/${canaries.invitationToken}`)).status).toBe(200);
});

test("a run whose model refuses, quoting all it was told", async () => {
  const bot = (await send("POST", "/bots", { name: "Parrot", model: "parrot", instructions: canaries.instructions }))
    .body;
  const models = async () => (await db.query("select from app.executors where 'parrot' = any (models)")).rowCount;
  await eventually(async () => (await models()) !== 0, 25_000);
  const run = (await send("POST", "/runs", { botId: bot.id, message: canaries.message })).body;
  await eventually(async () => failures.includes("model"), 20_000);
  expect((await send("GET", `/runs/${run.id}?wait=20`)).body.state).toBe("failed");
}, 60_000);

test("a delivery that its proxy refuses, and one attempt a line", async () => {
  await eventually(async () => lines().some(({ msg }) => msg === "an attempt at a delivery"));
  const attempt = lines().find(({ msg }) => msg === "an attempt at a delivery");
  expect(attempt).toMatchObject({ part: "worker", deliveryId: expect.any(String), failure: "transport" });
});

test("a fault of the database that quotes the row", async () => {
  await db.query(`alter table app.memories add constraint careless check (value <> '${canaries.claim}') not valid`);
  const claim = { scope: "organisation", kind: "fact", subject: canaries.subject, value: canaries.claim };
  const reply = await send("POST", "/memories", claim);
  expect([reply.status, reply.text]).toEqual([500, expect.not.stringContaining("canary")]);
  await db.query("alter table app.memories drop constraint careless");
  const [logged] = lines().filter(({ level, requestId }) => level === 50 && requestId === reply.body.error.requestId);
  expect(logged).toMatchObject({ msg: "internal", operation: "create_memory", error: { constraint: "careless" } });
});

test("connections that are cut, and a database that is gone", async () => {
  const calls = Array.from({ length: 20 }, () => send("GET", `/memories?q=${canaries.subject}`).catch(() => undefined));
  await db.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename in ('server', 'worker', 'runner', 'operator')",
  );
  await Promise.all(calls);
  const pid = started.parts().postgres?.pid ?? 0;
  process.kill(pid, "SIGQUIT");
  const reply = await send("POST", "/memories", {
    scope: "organisation",
    kind: "fact",
    subject: "s",
    value: canaries.claim,
  });
  expect([201, 503]).toContain(reply.status);
  await eventually(async () => (await send("GET", "/me")).status === 200, 20_000);
}, 60_000);

test("every line of a request has its id, and of a job or run its own", () => {
  const of = (part: string) => lines().filter((line) => line.part === part);
  const requests = of("api").filter(({ operation, method }) => operation ?? method);
  expect(requests.length).toBeGreaterThan(20);
  expect(requests.filter(({ requestId }) => typeof requestId !== "string")).toEqual([]);
  const jobs = of("worker").filter(({ job }) => job);
  expect(jobs.length).toBeGreaterThan(0);
  expect(jobs.filter(({ jobId }) => !jobId)).toEqual([]);
  expect(of("worker").some(({ runId, msg }) => runId && msg === "run failed")).toBe(true);
});

test("none of it is in a log, in what a process says, or in /metrics", async () => {
  const { text } = await scrape(`http://127.0.0.1:${home.env.METRICS_PORT}/metrics`);
  const places: Record<string, string> = {
    metrics: text,
    stdout: started.program.stdout().replace(panel, ""),
    stderr: started.program.stderr(),
  };
  for (const name of readdirSync(home.dataDir).filter((file) => file.endsWith(".log"))) places[name] = logOf(name);
  expect(Object.keys(places)).toEqual(expect.arrayContaining(["botstead.log", "postgres.log"]));
  expect(places["botstead.log"]).toContain('"level":30');
  const found = Object.entries(places).flatMap(([place, said]) =>
    Object.entries(canaries)
      .filter(([, words]) => said.includes(words))
      .map(([what]) => `${what} in ${place}`),
  );
  expect(found).toEqual([]);
});
