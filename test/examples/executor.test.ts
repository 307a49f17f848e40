/** The unchanged executor in Python, with its own login: it leases runs, answers, blocks, continues, and deregisters or is killed. Has its own cluster, for the login. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { makeExecutorLogin } from "../../src/database/executor-logins.ts";
import { startCluster, stopCluster } from "../support/cluster.ts";
import { expireLease, handExecutor, leased } from "../support/hand-executor.ts";
import { testWith } from "../support/machine.ts";
import { type Customer, customer, openPostOffice, type PostOffice } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const example = fileURLToPath(new URL("../../examples/python/executor.py", import.meta.url));
const testHere = testWith("python3", "python3-psycopg");
const children = new Set<ChildProcess>();
let office: PostOffice;
let admin: Client;
let role: string;
let url: string;

beforeAll(async () => {
  await startCluster();
  office = await openPostOffice({ worker: false });
  admin = new Client({ connectionString: office.db.adminUrl });
  await admin.connect();
  const made = await makeExecutorLogin(admin, "example", 1, async () => {});
  role = made.role;
  url = Object.assign(new URL(office.db.adminUrl), { username: role, password: made.password }).href;
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await admin.end();
  await office.close();
  await stopCluster();
});

/** The example at work, what it has printed, and the code with which it ends. */
type Example = { child: ChildProcess; said: () => string; complained: () => string; ended: Promise<number> };

function run(at: string): Example {
  // Debian's Python, for which its package is: another may come first on the path.
  const child = spawn("/usr/bin/python3", ["-B", example], {
    env: { ...process.env, BOTSTEAD_EXECUTOR_URL: at },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let [said, complained] = ["", ""];
  child.stdout?.on("data", (data) => {
    said += data;
  });
  child.stderr?.on("data", (data) => {
    complained += data;
  });
  const ended = once(child, "close").then(([code]) => code as number);
  return { child, said: () => said, complained: () => complained, ended };
}

async function started(): Promise<Example> {
  const example = run(url);
  await eventually(async () => example.said().startsWith("ready\n"));
  return example;
}

const living = () => office.db.sql("select id from app.executors where name = 'harbour in Python'");

async function untilState(who: Customer, id: string, state: string): Promise<void> {
  await eventually(async () => (await who.ask("GET", `/runs/${id}`)).body.state === state);
}

testHere("the executor in Python answers, blocks, continues after a message, and deregisters on a signal", async () => {
  const who = await customer(office, "harbour");
  const value = "The harbour office is open from nine to five.";
  const memory = { scope: "organisation", kind: "policy", subject: "Harbour office", value };
  const memoryId = (await who.ask("POST", "/memories", memory)).body.id;
  const { child, said, complained, ended } = await started();

  const known = await who.run("When is the harbour office open?");
  await untilState(who, known, "completed");
  const answers = (await who.ask("GET", `/runs/${known}/messages`)).body.data;
  expect(answers[0]).toMatchObject({ author: "bot", text: value, memoryIds: [memoryId] });
  expect((await who.ask("GET", `/runs/${known}`)).body.steps).toBe(1);

  const unknown = await who.run("Who keeps the lighthouse?");
  await untilState(who, unknown, "blocked");
  await who.ask("POST", `/runs/${unknown}/resume`, { message: "Say when the harbour office is open." });
  await untilState(who, unknown, "completed");
  expect((await who.ask("GET", `/runs/${unknown}`)).body.steps).toBe(2);

  expect(await living()).toHaveLength(1);
  child.kill("SIGTERM");
  expect([await ended, complained()]).toEqual([0, ""]);
  expect(said()).toBe(`ready\nfinished ${known}\nblocked ${unknown}\nfinished ${unknown}\n`);
  expect(await living()).toEqual([]);
});

testHere("the executor in Python continues with the results of an executor before it", async () => {
  const who = await customer(office, "harbour");
  const hand = await handExecutor(office.db, office.db.poolAs("runner"), ["harbour"]);
  const id = await who.run("When is the harbour office open?");
  const run = await leased(hand);
  const memory = { scope: "organisation", kind: "policy", subject: "Harbour office", value: "It opens at nine." };
  const memoryId = (await who.ask("POST", "/memories", memory)).body.id;
  await hand.keyedStep(run, "recall 1", [{ id: memoryId, value: "As I found before: at nine." }], [memoryId]);
  await expireLease(office.db, id);
  const { child, ended } = await started();
  await untilState(who, id, "completed");
  const answers = (await who.ask("GET", `/runs/${id}/messages`)).body.data;
  expect(answers[0]).toMatchObject({ text: "As I found before: at nine.", memoryIds: [memoryId] });
  expect((await who.ask("GET", `/runs/${id}`)).body.steps).toBe(1);
  child.kill("SIGTERM");
  await ended;
});

for (const [which, latest] of [
  ["leases runs", "select runner.lease_run%"],
  ["listens", "listen%"],
  ["sends a heartbeat", "select runner.heartbeat%"],
]) {
  testHere(`the executor in Python exits and deregisters if it loses the connection that ${which}`, async () => {
    const { complained, ended } = await started();
    expect(await living()).toHaveLength(1);
    await eventually(async () => {
      const { rows } = await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and query ilike $2",
        [role, latest],
      );
      return rows.length === 1;
    });
    expect(await ended).toBe(1);
    expect(complained()).toMatch(/^No connection to the database: .+\n$/);
    expect(await living()).toEqual([]);
  });
}

testHere("the executor in Python ends with a sentence if no login works", async () => {
  const { complained, ended } = run(Object.assign(new URL(url), { password: "another" }).href);
  expect(await ended).toBe(1);
  expect(complained()).toMatch(/^No connection to the database: .*password authentication failed.*\n$/);
});
