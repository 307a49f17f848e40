/**
 * Canaries: sends secrets, addresses and texts through every operation that creates them, and provokes each refusal and
 * fault. Then searches tables, database files, the write-ahead log, logs, statements, jobs, traces, metrics, refusals
 * and command lines for every form of each canary. Each may be found only in its expected places.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { refusals } from "../../src/contract/refusals.ts";
import { approvalToken } from "../../src/secrets/approval-token.ts";
import { open } from "../../src/secrets/seal.ts";
import { scrape } from "../support/metrics.ts";
import { processTree, signalProcess } from "../support/process-tree.ts";
import { expectAll, reportCounts } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { expectedPlaces, patternsOfSecrets, patternsOfTexts, secrets, unkept, words } from "./canaries.ts";
import { type CanaryFixture, openCanaryFixture } from "./canary-fixture.ts";
import { beRefused, beRefusedByState } from "./canary-refusals.ts";
import { memory, takeIn } from "./canary-ways.ts";
import { searcherOf } from "./patterns.ts";
import { columnsOf, type Found, filesOf, type Place, searchIn, statementsOf } from "./scan.ts";

let here: CanaryFixture;
let db: Client;
/** pg_stat_statements before the server was killed. */
const counted: Place[] = [];
beforeAll(async () => {
  here = await openCanaryFixture();
  db = await here.connect();
  await db.query("create extension pg_stat_statements schema public");
});
afterAll(async () => {
  await db?.end().catch(() => {});
  await here?.close();
});

/** Statements from before the test, or of other sessions. */
const seenEarly = [
  /alter role \W+server\W+ login password/,
  /operator\.create_demo/,
  /create role \W+executor_canary_/,
];

const logOf = (name: string) => readFileSync(join(here.home.dataDir, name), "utf8");
const lines = () =>
  logOf("botstead.log")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("all operations that create secrets or store texts succeed", async () => {
  expectAll("canaries: successful operations", await takeIn(here));
});

test("the mail server refuses one mail and quotes its address, and accepts another", async () => {
  const { send, failures, master, site } = here;
  const invited = await send("POST", "/invitations", { email: words.invited, role: "member" });
  await eventually(async () => failures.has("mail"));
  await eventually(async () => lines().some(({ job }) => job === "send_mail"));
  const { rows: mails } = await db.query<{ token_sealed: Buffer }>(
    "select token_sealed from app.mails where token_sealed is not null",
  );
  secrets.invitationToken = open(master.invitations, "invitation-token", mails[0]?.token_sealed ?? Buffer.alloc(0));
  const page = await fetch(`${site}/invitation/${secrets.invitationToken}`);

  const proposal = { scope: "organisation", kind: "policy", subject: "Harbour", value: "Closes at nine." };
  const { rows: approvals } = await db.query<{ id: string }>(
    `select runner.raise_approval(run, 'memory', null, null, runner.proposed_memory($1), '3 days') as id
     from app.runs run order by id limit 1`,
    [proposal],
  );
  const id = approvals[0]?.id ?? "";
  await db.query(
    `insert into app.step_results (organisation_id, run_id, conversation_id, key, number, result)
     select organisation_id, id, conversation_id, 'turn 1', 1, to_jsonb($1::text) from app.runs order by id limit 1`,
    [words.stepResult],
  );
  const linked = async () =>
    (await db.query("select from app.approvals where id = $1 and token_digest is not null", [id])).rowCount === 1;
  await eventually(linked);
  secrets.approvalToken = approvalToken(master.sealing, id).text;
  const approvalPage = await fetch(`${site}/approval/${secrets.approvalToken}`);
  const answered = await fetch(`${site}/approval/${secrets.approvalToken}`, {
    method: "POST",
    body: new URLSearchParams({ answer: "refused", comment: words.comment }),
  });
  expectAll("canaries: mail", [
    [
      [201, 200],
      [invited.status, page.status],
    ],
    [
      [200, 200],
      [approvalPage.status, answered.status],
    ],
  ]);
});

test("all refusals are provoked with canaries", async () => {
  expectAll("canaries: refusals", [...(await beRefused(here)), ...(await beRefusedByState(here, db))]);
});

test("the model refuses a run and the proxy a delivery, and both quote the request", async () => {
  const { send, failures } = here;
  const models = async () => (await db.query("select from app.executors where 'parrot' = any (models)")).rowCount;
  await eventually(async () => (await models()) !== 0);
  const parrot = (await send("POST", "/bots", { name: "Parrot", model: "parrot", instructions: words.instructions }))
    .body;
  const run = (await send("POST", "/runs", { botId: parrot.id, message: words.message })).body;
  await eventually(async () => failures.has("model"));
  const ended = await send("GET", `/runs/${run.id}?wait=20`);
  await eventually(async () => failures.has("proxy") && lines().some(({ msg }) => msg === "delivery attempt failed"));
  const attempt = lines().find(({ msg }) => msg === "delivery attempt failed");
  expectAll("canaries: failed runs and deliveries", [
    ["failed", ended.body.state],
    [
      ["worker", "string", "string"],
      [attempt?.part, typeof attempt?.deliveryId, typeof attempt?.failure],
    ],
  ]);
});

test("database faults that quote the row: failed check, time-out, killed session, lost server", async () => {
  const { send, started } = here;
  await db.query("set pg_stat_statements.track_utility = off"); // the next statement holds a canary and is not the service's
  await db.query(`alter table app.memories add constraint careless check (value <> '${words.memory}') not valid`);
  const internal = await send("POST", "/memories", memory());
  await db.query("alter table app.memories drop constraint careless");
  await db.query("reset pg_stat_statements.track_utility");
  const [logged] = lines().filter(
    ({ level, requestId }) => level === 50 && requestId === internal.body.error.requestId,
  );

  await db.query("begin; lock table app.memories in access exclusive mode");
  const away = await send("POST", "/memories", memory());
  await db.query("commit");

  const calls = Array.from({ length: 20 }, () => send("GET", `/memories?q=${words.subject}`).catch(() => undefined));
  await db.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename in ('server', 'worker', 'runner', 'operator')",
  );
  await Promise.all(calls);

  // The server's statistics end with the server.
  for await (const place of statementsOf(db)) counted.push(place);
  const all = counted.map(({ bytes }) => bytes.toString()).join("\n");
  const { rows: forgotten } = await db.query("select dealloc::integer from public.pg_stat_statements_info");

  // Kills one session during its statement, which terminates the others; then kills the server.
  await db.query("begin; lock table app.memories in access exclusive mode");
  const waiting = send("POST", "/memories", memory());
  let victim: number | undefined;
  await eventually(async () => {
    await db.query("select pg_stat_clear_snapshot()"); // of this transaction
    const waits = await db.query<{ pid: number }>(
      "select pid from pg_stat_activity where usename = 'server' and wait_event_type = 'Lock'",
    );
    victim = waits.rows[0]?.pid;
    return victim !== undefined;
  });
  signalProcess(victim, "SIGKILL");
  const killed = await waiting;
  await eventually(async () => (await send("GET", "/me")).status === 200);
  signalProcess(started.parts().postgres?.pid, "SIGQUIT");
  const gone = await send("POST", "/memories", memory());
  await eventually(async () => (await send("GET", "/me")).status === 200);
  await db.end().catch(() => {});
  db = await here.connect();
  const after = await send("POST", "/memories", memory());
  expectAll("canaries: database faults", [
    [500, internal.status],
    [
      ["internal", "create_memory"],
      [logged?.msg, logged?.operation],
    ],
    [503, away.status],
    [true, [201, 503].includes(killed.status) && [201, 503].includes(gone.status)],
    [201, after.status],
    [[], seenEarly.filter((statement) => !statement.test(all)).map(String)],
    [[{ dealloc: 0 }], forgotten],
  ]);
});

test("every refusal of the contract was provoked", () => {
  const codes = Object.keys(refusals);
  expectAll(
    "canaries: codes of refusals",
    codes.map((code) => [code, here.codes.has(code) ? code : undefined]),
  );
});

test("every log line has the id of its request, job or run", () => {
  const of = (part: string) => lines().filter((line) => line.part === part);
  const requests = of("api").filter(({ operation, method }) => operation ?? method);
  const jobs = of("worker").filter(({ job }) => job);
  expectAll("canaries: log lines", [
    [true, requests.length > 20],
    [[], requests.filter(({ requestId }) => typeof requestId !== "string")],
    [true, jobs.length > 0],
    [[], jobs.filter(({ jobId }) => !jobId)],
    [true, of("worker").some(({ runId, msg }) => runId && msg === "run failed")],
  ]);
});

/** Every output outside of tables. */
async function* said(): AsyncGenerator<Place> {
  const { home, started, collector, refused } = here;
  const texts: Record<string, string> = {
    "/metrics": (await scrape(`http://127.0.0.1:${home.env.METRICS_PORT}/metrics`)).text,
    stdout: started.program.stdout().replace(started.panel, ""),
    stderr: started.program.stderr(),
    traces: collector.said.join("\n"),
    refusals: refused.join("\n"),
    "command lines": processTree(started.program.child.pid ?? 0)
      .map(({ command }) => command)
      .join("\n"),
  };
  for (const name of readdirSync(home.dataDir).filter((file) => file.endsWith(".log"))) texts[name] = logOf(name);
  for (const [name, text] of Object.entries(texts)) yield { name, bytes: Buffer.from(text) };
  yield* counted;
  yield* statementsOf(db);
}

const shown = (found: Found[]): string[] => found.map(({ what, form, place }) => `${what} in ${place}, ${form}`);

test("a scan finds no secret, and texts only in their expected places", async () => {
  await db.query("checkpoint");
  const ofSecrets = searcherOf(patternsOfSecrets());
  const ofWords = searcherOf(patternsOfTexts());
  const both = (bytes: Buffer) => [...ofSecrets(bytes), ...ofWords(bytes)];
  const outside = await searchIn(said(), both);
  const columns = await searchIn(columnsOf(db), both);
  const files = await searchIn(filesOf(join(here.home.dataDir, "postgres")), ofSecrets);
  const misplaced = columns.found.filter(({ what, place }) => !expectedPlaces[what as keyof typeof words]?.test(place));
  const leaks = [...outside.found, ...misplaced, ...files.found];
  const nowhere = Object.keys(words).filter((what) => !columns.found.some((found) => found.what === what));
  reportCounts("canaries: scan of all places", {
    acknowledged: Object.keys({ ...words, ...unkept, ...secrets }).length,
    lost: nowhere.length,
    doubled: 0,
    unexpected: leaks.length,
    note: `${columns.places} columns, ${files.places} files of ${files.megabytes.toFixed(0)} MB, ${outside.places} other places`,
  });
  expect(shown(leaks)).toEqual([]);
  expect(nowhere).toEqual([]); // proves that each word can be found
  expect(logOf("botstead.log")).toContain('"level":30');
  expect(Object.keys(secrets).length).toBeGreaterThan(20);
});
