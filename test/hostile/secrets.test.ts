/**
 * Canaries: secrets, addresses and words come in by every way that makes them, each way of being refused and each fault is
 * provoked, and then each is looked for in every form and everywhere: tables, files of the database, what it writes ahead,
 * logs, statements, jobs, traces, metrics, refusals, command lines. Each is found where it belongs and nowhere else.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { refusals } from "../../src/contract/refusals.ts";
import { approvalToken } from "../../src/secrets/approval-token.ts";
import { open } from "../../src/secrets/seal.ts";
import { scrape } from "../support/metrics.ts";
import { processTree } from "../support/process-tree.ts";
import { expectAll, tell } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { belongs, needlesOfSecrets, needlesOfWords, secrets, unkept, words } from "./canaries.ts";
import { type CanaryHouse, openCanaryHouse } from "./canary-house.ts";
import { beRefused, beRefusedByState } from "./canary-refusals.ts";
import { claim, takeIn } from "./canary-ways.ts";
import { columnsOf, type Found, filesOf, type Place, searchIn, statementsOf } from "./haystack.ts";
import { searcherOf } from "./needles.ts";

let here: CanaryHouse;
let db: Client;
/** What the server counted of statements before it was killed. */
const counted: Place[] = [];
beforeAll(async () => {
  here = await openCanaryHouse();
  db = await here.connect();
  await db.query("create extension pg_stat_statements schema public");
}, 90_000);
afterAll(async () => {
  await db?.end().catch(() => {});
  await here?.close();
});

/** Asked before the test could say anything to the server, or by no call of its own. */
const seenEarly = [/alter role \W+server\W+ login password/, /operator\.found_demo/, /create role \W+executor_canary_/];

const logOf = (name: string) => readFileSync(join(here.home.dataDir, name), "utf8");
const lines = () =>
  logOf("botstead.log")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("every way that makes a secret or takes words in", async () => {
  expectAll("canaries: what goes well", await takeIn(here));
}, 60_000);

test("a mail whose server refuses it, quoting the address; and one that it takes", async () => {
  const { send, failures, master, site } = here;
  const invited = await send("POST", "/invitations", { email: words.invited, role: "member" });
  await eventually(async () => failures.has("mail"));
  await eventually(async () => lines().some(({ job }) => job === "send_mail"));
  const { rows: mails } = await db.query<{ token_sealed: Buffer }>(
    "select token_sealed from app.mails where token_sealed is not null",
  );
  secrets.invitationToken = open(master.sealing, "invitation-token", mails[0]?.token_sealed ?? Buffer.alloc(0));
  const page = await fetch(`${site}/invitation/${secrets.invitationToken}`);

  const proposal = { scope: "organisation", kind: "policy", subject: "Harbour", value: "Closes at nine." };
  const { rows: cards } = await db.query<{ id: string }>(
    `select runner.raise_approval(run, 'memory', null, null, runner.proposed_memory($1), '3 days') as id
     from app.runs run order by id limit 1`,
    [proposal],
  );
  const id = cards[0]?.id ?? "";
  const linked = async () =>
    (await db.query("select from app.approvals where id = $1 and token_digest is not null", [id])).rowCount === 1;
  await eventually(linked, 20_000);
  secrets.approvalToken = approvalToken(master.sealing, id).text;
  const card = await fetch(`${site}/approval/${secrets.approvalToken}`);
  expectAll("canaries: mail", [
    [
      [201, 200],
      [invited.status, page.status],
    ],
    [200, card.status],
  ]);
}, 60_000);

test("every way of being refused", async () => {
  expectAll("canaries: what is refused", [...(await beRefused(here)), ...(await beRefusedByState(here, db))]);
}, 60_000);

test("a run whose model refuses, quoting all it was told; and a delivery whose proxy does", async () => {
  const { send, failures } = here;
  const parrot = (await send("POST", "/bots", { name: "Parrot", model: "parrot", instructions: words.instructions }))
    .body;
  const models = async () => (await db.query("select from app.executors where 'parrot' = any (models)")).rowCount;
  await eventually(async () => (await models()) !== 0, 25_000);
  const run = (await send("POST", "/runs", { botId: parrot.id, message: words.message })).body;
  await eventually(async () => failures.has("model"), 20_000);
  const ended = await send("GET", `/runs/${run.id}?wait=20`);
  await eventually(async () => failures.has("proxy") && lines().some(({ msg }) => msg === "an attempt at a delivery"));
  const attempt = lines().find(({ msg }) => msg === "an attempt at a delivery");
  expectAll("canaries: workers and deliveries that fail", [
    ["failed", ended.body.state],
    [
      ["worker", "string", "string"],
      [attempt?.part, typeof attempt?.deliveryId, typeof attempt?.failure],
    ],
  ]);
}, 60_000);

test("faults of the database that quote the row: a check, a time-out, a session that is killed, a server that is gone", async () => {
  const { send, started } = here;
  await db.query("set pg_stat_statements.track_utility = off"); // the next holds a canary, and is none of the service's
  await db.query(`alter table app.memories add constraint careless check (value <> '${words.claim}') not valid`);
  const internal = await send("POST", "/memories", claim());
  await db.query("alter table app.memories drop constraint careless");
  await db.query("reset pg_stat_statements.track_utility");
  const [logged] = lines().filter(
    ({ level, requestId }) => level === 50 && requestId === internal.body.error.requestId,
  );

  await db.query("begin; lock table app.memories in access exclusive mode");
  const away = await send("POST", "/memories", claim());
  await db.query("commit");

  const calls = Array.from({ length: 20 }, () => send("GET", `/memories?q=${words.subject}`).catch(() => undefined));
  await db.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename in ('server', 'worker', 'runner', 'operator')",
  );
  await Promise.all(calls);

  // With the server goes what it counted of all that was before.
  for await (const place of statementsOf(db)) counted.push(place);
  const all = counted.map(({ bytes }) => bytes.toString()).join("\n");
  const { rows: forgotten } = await db.query("select dealloc::integer from public.pg_stat_statements_info");

  // One session dies in the middle of its statement, which takes the others with it; then the server itself.
  await db.query("begin; lock table app.memories in access exclusive mode");
  const waiting = send("POST", "/memories", claim());
  const victim = async () =>
    (
      await db.query<{ pid: number }>(
        "select pid from pg_stat_activity where usename = 'server' and wait_event_type = 'Lock'",
      )
    ).rows[0]?.pid;
  await eventually(async () => (await victim()) !== undefined, 5_000);
  process.kill((await victim()) ?? 0, "SIGKILL");
  const killed = await waiting;
  await eventually(async () => (await send("GET", "/me")).status === 200, 20_000);
  process.kill(started.parts().postgres?.pid ?? 0, "SIGQUIT");
  const gone = await send("POST", "/memories", claim());
  await eventually(async () => (await send("GET", "/me")).status === 200, 20_000);
  await db.end().catch(() => {});
  db = await here.connect();
  const after = await send("POST", "/memories", claim());
  expectAll("canaries: faults of the database", [
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
}, 90_000);

test("every refusal that there is was met", () => {
  const codes = Object.keys(refusals);
  expectAll(
    "canaries: refusals by their codes",
    codes.map((code) => [code, here.codes.has(code) ? code : undefined]),
  );
});

test("every line of a request has its id, and of a job or run its own", () => {
  const of = (part: string) => lines().filter((line) => line.part === part);
  const requests = of("api").filter(({ operation, method }) => operation ?? method);
  const jobs = of("worker").filter(({ job }) => job);
  expectAll("canaries: lines of the log", [
    [true, requests.length > 20],
    [[], requests.filter(({ requestId }) => typeof requestId !== "string")],
    [true, jobs.length > 0],
    [[], jobs.filter(({ jobId }) => !jobId)],
    [true, of("worker").some(({ runId, msg }) => runId && msg === "run failed")],
  ]);
});

/** Whatever is said outside of tables. */
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

test("no secret is anywhere, and no word but where it belongs", async () => {
  await db.query("checkpoint");
  const ofSecrets = searcherOf(needlesOfSecrets());
  const ofWords = searcherOf(needlesOfWords());
  const both = (bytes: Buffer) => [...ofSecrets(bytes), ...ofWords(bytes)];
  const outside = await searchIn(said(), both);
  const columns = await searchIn(columnsOf(db), both);
  const files = await searchIn(filesOf(join(here.home.dataDir, "postgres")), ofSecrets);
  const misplaced = columns.found.filter(({ what, place }) => !belongs[what as keyof typeof words]?.test(place));
  const leaks = [...outside.found, ...misplaced, ...files.found];
  const nowhere = Object.keys(words).filter((what) => !columns.found.some((found) => found.what === what));
  tell("canaries: looked for everywhere", {
    acknowledged: Object.keys({ ...words, ...unkept, ...secrets }).length,
    lost: nowhere.length,
    doubled: 0,
    unexpected: leaks.length,
    note: `${columns.places} columns, ${files.places} files of ${files.megabytes.toFixed(0)} MB, ${outside.places} other places`,
  });
  expect(shown(leaks)).toEqual([]);
  expect(nowhere).toEqual([]); // each word was there to be found
  expect(logOf("botstead.log")).toContain('"level":30');
  expect(Object.keys(secrets).length).toBeGreaterThan(20);
}, 60_000);
