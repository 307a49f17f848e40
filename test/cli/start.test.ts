/**
 * The whole way of somebody who has never seen Botstead: start it in an empty folder, copy the line that is printed,
 * read the answer, get run.finished at a receiver of theirs; then everything is killed, and nothing is lost.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { type House, house, keyIn, type Started } from "../support/house.ts";
import { expectSigned } from "../support/post-office.ts";
import { isAlive, processTree, signalAll } from "../support/process-tree.ts";
import { command, killPrograms } from "../support/program.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { eventually } from "../support/worker.ts";

let receiver: Receiver;
let home: House;
let first: Started;
let key: string;
let run: string;
let webhook: { id: string; secret: string };

beforeAll(async () => {
  receiver = await startReceiver();
  home = await house(receiver.ca);
});
afterAll(async () => {
  await home.remove();
  await killPrograms();
  await receiver.close();
});

/** Times are stated for a machine with nothing else to do: what others take of it is given back. */
const patience = (ms: number) => ms * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

/** Runs a line as a shell would; where there is no curl, makes the request that it tells of. */
async function shell(line: string): Promise<string> {
  if (spawnSync("curl", ["--version"]).status === 0) {
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], { encoding: "utf8" });
    if (status !== 0) throw new Error(`${line}: ${status} ${stderr}`);
    return stdout;
  }
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  const after = (flag: string) => words.filter((_word, index) => words[index - 1] === flag);
  const headers = Object.fromEntries(after("-H").map((header) => header.split(/: (.*)/s)));
  const [body] = after("-d");
  const url = words.find((word) => word.startsWith("http")) ?? "";
  return (await fetch(url, { headers, ...(body ? { method: "POST", body } : {}) })).text();
}

test("an empty folder is ready within 15 s, and the panel tells where everything is", async () => {
  first = await home.start();
  console.info(`ready on an empty folder in ${Math.round(first.readyMs)} ms`);
  expect(first.readyMs).toBeLessThan(patience(15_000));
  const { PORT, CONSOLE_PORT } = home.env;
  const places = Object.fromEntries(
    [...first.panel.matchAll(/^ {2}([A-Z]\w+) {2,}(\S+)/gm)].map(([, name, place]) => [name, place]),
  );
  expect(places).toEqual({
    API: `http://127.0.0.1:${PORT}/api/v1`,
    Docs: `http://127.0.0.1:${PORT}/docs`,
    Console: `http://127.0.0.1:${CONSOLE_PORT}`,
    Data: home.dataDir,
    Log: join(home.dataDir, "botstead.log"),
  });
  expect((await fetch(places.Docs ?? "")).status).toBe(200);
  expect((await fetch(places.Console ?? "")).status).toBe(401); // it is there, and closed
  expect((await fetch(`http://127.0.0.1:${PORT}/readyz`)).status).toBe(200);
  key = keyIn(first.panel);
  expect(key).toMatch(/^bsk_\w{49}$/);
});

test("the printed lines work as printed, from the question to the answer", async () => {
  const created = await home.call("POST", "/webhooks", key, { url: `${receiver.url}/mine`, events: ["run.finished"] });
  expect(created.status).toBe(201);
  webhook = created.body;
  const [ask = "", read = ""] = first.panel.split("\n").filter((line) => line.trim().startsWith("curl"));
  const started = JSON.parse(await shell(ask.trim()));
  expect(started).toMatchObject({ trigger: "api" });
  run = started.id;
  let answer = "";
  await eventually(async () => {
    const { data } = JSON.parse(await shell(read.trim().replace("RUN_ID", run)));
    answer = data.find(({ author }: { author: string }) => author === "bot")?.text ?? "";
    return answer !== "";
  }, 15_000);
  expect(answer).toContain("12 December");
});

test("run.finished comes to the receiver once, and its signature is right", async () => {
  const [post] = await receiver.waitFor(1, 15_000);
  expectSigned(post, webhook.secret);
  expect(JSON.parse(post?.body ?? "")).toMatchObject({
    event: "run.finished",
    data: { runId: run, state: "completed" },
  });
  await eventually(
    async () => (await home.call("GET", `/webhooks/${webhook.id}/deliveries`, key)).body.data[0]?.state === "delivered",
  );
  const { data } = (await home.call("GET", `/webhooks/${webhook.id}/deliveries`, key)).body;
  expect(data.map(({ attempts }: { attempts: number }) => attempts)).toEqual([1]);
  expect(receiver.received).toHaveLength(1);
});

test("the API and the worker together take less than 250 MB", () => {
  const { main, worker } = first.parts();
  console.info(`API ${main?.megabytes.toFixed(0)} MB, worker ${worker?.megabytes.toFixed(0)} MB`);
  expect(worker).toBeDefined();
  expect((main?.megabytes ?? 0) + (worker?.megabytes ?? 0)).toBeLessThan(250);
});

test("the walls of the running server's database are examined beside it, and all stand", async () => {
  const { code, stdout, stderr } = await command(["audit", "--findings"], { env: home.env });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^Audit of database botstead, .*\n\nFindings: none, all walls stand\n$/);
});

test("keys are minted beside the running server, and printed alone", async () => {
  const minted = await command(["platform-key", "mint", "--name", "Beside"], { env: home.env });
  expect([minted.code, minted.stderr]).toEqual([0, ""]);
  expect(minted.stdout).toMatch(/^bsp_\w{49}\n$/);
  expect((await home.call("GET", "/platform/organisations", minted.stdout.trim())).status).toBe(200);
});

test("a second start on the same folder is told so in a sentence", async () => {
  const { code, stderr } = await command(["start"], { env: home.env });
  expect(code).toBe(1);
  expect(stderr).toBe(`The data folder ${home.dataDir} is in use by Botstead process ${first.program.child.pid}.\n`);
  expect((await home.call("GET", "/me", key)).status).toBe(200); // and the first is none the worse for it
});

test("no key and no word of the conversation is in the logs", () => {
  for (const file of ["botstead.log", "postgres.log"]) {
    const log = readFileSync(join(home.dataDir, file), "utf8");
    expect(log).not.toBe("");
    expect(log).not.toContain(key);
    expect(log).not.toContain(webhook.secret);
    expect(log).not.toContain("December");
  }
});

test("after kill -9 of everything it is ready again within 5 s, and nothing is lost", async () => {
  const before = (await home.call("GET", `/runs/${run}`, key)).body;
  const tree = processTree(first.program.child.pid ?? 0);
  expect(Object.values(first.parts())).not.toContain(undefined);
  signalAll(tree, "SIGKILL");
  await first.program.ending;
  await eventually(async () => !tree.some(({ pid }) => isAlive(pid))); // the system buries them in its own time

  const second = await home.start();
  console.info(`ready on an existing folder in ${Math.round(second.readyMs)} ms`);
  expect(second.readyMs).toBeLessThan(patience(5_000));
  expect(second.panel).not.toContain("bsk_"); // the key was shown once
  expect((await home.call("GET", `/runs/${run}`, key)).body).toEqual(before);
  const { status, body } = await home.call("POST", "/runs", key, { botId: before.botId, message: "When is support?" });
  expect(status).toBe(202);
  const posts = await receiver.waitFor(2, 20_000);
  expectSigned(posts[1], webhook.secret);
  expect(JSON.parse(posts[1]?.body ?? "").data.runId).toBe(body.id);

  const left = processTree(second.program.child.pid ?? 0);
  const asked = performance.now();
  const { code } = await second.program.kill("SIGINT");
  console.info(`stopped in ${Math.round(performance.now() - asked)} ms`);
  expect(code).toBe(0);
  expect(performance.now() - asked).toBeLessThan(10_000);
  await eventually(async () => !left.some(({ pid }) => isAlive(pid)), 2_000);
}, 60_000);

test("keys are minted while nothing runs, too, and printed alone", async () => {
  const minted = await command(["platform-key", "mint", "--name", "Alone"], { env: home.env });
  expect(minted.code).toBe(0);
  expect(minted.stdout).toMatch(/^bsp_\w{49}\n$/);
  const listed = await command(["platform-key", "list"], { env: home.env });
  expect(listed.stdout).toContain(minted.stdout.slice(0, 12));
});
