/** The executor in Python, as it stands, with a login of its own: it takes runs, answers, blocks, goes on, and leaves. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { makeExecutorLogin, revokeExecutorLogin } from "../../src/database/executor-logins.ts";
import { testWith } from "../support/machine.ts";
import { type Customer, customer, openPostOffice, type PostOffice } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const example = fileURLToPath(new URL("../../examples/python/executor.py", import.meta.url));
const name = `example_${process.pid}`;
const testHere = testWith("python3", "python3-psycopg");
const children = new Set<ChildProcess>();
let office: PostOffice;
let admin: Client;
let url: string;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  admin = new Client({ connectionString: office.db.adminUrl });
  await admin.connect();
  const { role, password } = await makeExecutorLogin(admin, name, 1);
  url = Object.assign(new URL(office.db.adminUrl), { username: role, password }).href;
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await revokeExecutorLogin(admin, name);
  await admin.end();
  await office.close();
});

/** The example at work, and what it has printed. */
async function started(): Promise<{ child: ChildProcess; said: () => string }> {
  // Debian's Python, for which its package is: another may come first on the path.
  const child = spawn("/usr/bin/python3", ["-B", example], {
    env: { ...process.env, BOTSTEAD_EXECUTOR_URL: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  let said = "";
  child.stdout?.on("data", (data) => {
    said += data;
  });
  await eventually(async () => said.startsWith("ready\n"), 20_000);
  return { child, said: () => said };
}

const living = () => office.db.sql("select id from app.executors where name = 'harbour in Python'");

async function untilState(who: Customer, id: string, state: string): Promise<void> {
  await eventually(async () => (await who.ask("GET", `/runs/${id}`)).body.state === state, 20_000);
}

testHere(
  "the executor in Python answers, blocks, goes on when it is told more, and leaves when it is asked to",
  async () => {
    const who = await customer(office, "harbour");
    const value = "The harbour office is open from nine to five.";
    const memory = { scope: "organisation", kind: "policy", subject: "Harbour office", value };
    const claim = (await who.ask("POST", "/memories", memory)).body.id;
    const { child, said } = await started();

    const known = await who.run("When is the harbour office open?");
    await untilState(who, known, "completed");
    const answers = (await who.ask("GET", `/runs/${known}/messages`)).body.data;
    expect(answers[0]).toMatchObject({ author: "bot", text: value, memoryIds: [claim] });
    expect((await who.ask("GET", `/runs/${known}`)).body.steps).toBe(2);

    const unknown = await who.run("Who keeps the lighthouse?");
    await untilState(who, unknown, "blocked");
    await who.ask("POST", `/runs/${unknown}/resume`, { message: "Say when the harbour office is open." });
    await untilState(who, unknown, "completed");
    expect((await who.ask("GET", `/runs/${unknown}`)).body.steps).toBe(3);

    expect(await living()).toHaveLength(1);
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    expect(said()).toBe(`ready\nfinished ${known}\nblocked ${unknown}\nfinished ${unknown}\n`);
    expect(await living()).toEqual([]);
  },
);
