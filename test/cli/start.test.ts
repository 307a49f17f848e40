/**
 * The first use of Botstead: start it in an empty folder, run the printed commands, read the answer and receive
 * run.finished at an endpoint. Then every process is killed, and nothing is lost.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { cleanUp, newDataFolder } from "../support/embedded.ts";
import { type Installation, keyIn, makeInstallation, type Started } from "../support/installation.ts";
import { expectSigned } from "../support/post-office.ts";
import { isAlive, processTree, signalAll } from "../support/process-tree.ts";
import { command, killPrograms } from "../support/program.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { eventually, longestWaitMs } from "../support/worker.ts";

let receiver: Receiver;
let home: Installation;
let first: Started;
let key: string;
let run: string;
let webhook: { id: string; secret: string };

beforeAll(async () => {
  receiver = await startReceiver();
  home = await makeInstallation(receiver.ca, { DATA_DIR: newDataFolder() });
});
afterAll(async () => {
  await home.remove();
  await killPrograms();
  await cleanUp();
  await receiver.close();
});

/** Time limits are for an idle machine; they grow with its load. */
const scaled = (ms: number) => ms * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

/** Runs a line in a shell; without curl, makes its request. */
async function shell(line: string): Promise<string> {
  if (spawnSync("curl", ["--version"]).status === 0) {
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], { encoding: "utf8" });
    if (status !== 0) throw new Error(`${line}: ${status} ${stderr}`);
    return stdout;
  }
  const plain = line.replace(/"idempotency-key: [^"]*"/, `'idempotency-key: ${randomUUID()}'`);
  const args = [...plain.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  const after = (flag: string) => args.filter((_arg, index) => args[index - 1] === flag);
  const headers = Object.fromEntries(after("-H").map((header) => header.split(/: (.*)/s)));
  const [body] = after("-d");
  const url = args.find((arg) => arg.startsWith("http")) ?? "";
  return (await fetch(url, { headers, ...(body ? { method: "POST", body } : {}) })).text();
}

test("start in an empty folder is ready within 15 s and prints its addresses", async () => {
  first = await home.start();
  console.info(`ready on an empty folder in ${Math.round(first.readyMs)} ms`);
  expect(first.readyMs).toBeLessThan(scaled(15_000));
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
  expect((await fetch(places.Console ?? "")).status).toBe(401); // the port exists, and is closed
  expect((await fetch(`http://127.0.0.1:${PORT}/readyz`)).status).toBe(200);
  key = keyIn(first.panel);
  expect(key).toMatch(/^bsk_\w{49}$/);
});

test("the printed commands work as printed", async () => {
  const created = await home.call("POST", "/webhooks", key, { url: `${receiver.url}/mine`, events: ["run.finished"] });
  expect(created.status).toBe(201);
  webhook = created.body;
  const [ask = "", read = ""] = first.panel.split("\n").filter((line) => line.trim().startsWith("curl"));
  const started = JSON.parse(await shell(ask.trim()));
  expect(started).toMatchObject({ trigger: "api" });
  run = started.id;
  // Sent again with another body it is a new request: the printed command makes a new Idempotency-Key each time.
  const edited = JSON.parse(await shell(ask.trim().replace(started.botId, randomUUID())));
  expect(edited.error.code).toBe("not_found");
  let answer = "";
  await eventually(async () => {
    const { data } = JSON.parse(await shell(read.trim().replace("RUN_ID", run)));
    answer = data.find(({ author }: { author: string }) => author === "bot")?.text ?? "";
    return answer !== "";
  });
  expect(answer).toContain("12 December");
});

test("an endpoint receives run.finished once, with a valid signature", async () => {
  const [post] = await receiver.waitFor(1, longestWaitMs);
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

test("API and worker together use less than 250 MB", () => {
  const { api, worker } = first.parts();
  console.info(`API ${api?.megabytes.toFixed(0)} MB, worker ${worker?.megabytes.toFixed(0)} MB`);
  expect([api, worker]).toEqual([expect.anything(), expect.anything()]);
  expect((api?.megabytes ?? 0) + (worker?.megabytes ?? 0)).toBeLessThan(250);
});

test("the audit of the running server's database finds nothing, once the start has recorded the database", async () => {
  let last = {};
  await eventually(async () => {
    last = await command(["audit", "--findings"], { env: home.env });
    return !JSON.stringify(last).includes("No build has recorded");
  });
  const stdout = expect.stringMatching(
    /^Audit of database botstead, .*\n\nFindings: none, all invariants hold\n\nAudit log: no/,
  );
  expect(last).toMatchObject({ code: 0, stderr: "", stdout });
});

test("key mint works while the server runs, and prints only the key", async () => {
  const minted = await command(["platform-key", "mint", "--name", "Beside"], { env: home.env });
  expect([minted.code, minted.stderr]).toEqual([0, ""]);
  expect(minted.stdout).toMatch(/^bsp_\w{49}\n$/);
  expect((await home.call("GET", "/platform/organisations", minted.stdout.trim())).status).toBe(200);
});

test("a second start on the same folder fails with a sentence", async () => {
  const { code, stderr } = await command(["start"], { env: home.env });
  expect(code).toBe(1);
  expect(stderr).toBe(`The data folder ${home.dataDir} is in use by Botstead process ${first.program.child.pid}.\n`);
  expect((await home.call("GET", "/me", key)).status).toBe(200); // the first run is unaffected
});

test("the logs contain no key and no text of the conversation", () => {
  for (const file of ["botstead.log", "postgres.log"]) {
    const log = readFileSync(join(home.dataDir, file), "utf8");
    expect(log).not.toBe("");
    expect(log).not.toContain(key);
    expect(log).not.toContain(webhook.secret);
    expect(log).not.toContain("December");
  }
});

test("after kill -9 of every process the next start is ready within 5 s, and nothing is lost", async () => {
  const before = (await home.call("GET", `/runs/${run}`, key)).body;
  const tree = processTree(first.program.child.pid ?? 0);
  expect(Object.values(first.parts())).not.toContain(undefined);
  signalAll(tree, "SIGKILL");
  await first.program.ending;
  await eventually(async () => !tree.some(({ pid }) => isAlive(pid))); // the system removes zombies later

  const second = await home.start();
  console.info(`ready on an existing folder in ${Math.round(second.readyMs)} ms`);
  expect(second.readyMs).toBeLessThan(scaled(5_000));
  expect(second.panel).not.toContain("bsk_"); // the key was shown once
  expect((await home.call("GET", `/runs/${run}`, key)).body).toEqual(before);
  const { status, body } = await home.call("POST", "/runs", key, { botId: before.botId, message: "When is support?" });
  expect(status).toBe(202);
  const posts = await receiver.waitFor(2, longestWaitMs);
  expectSigned(posts[1], webhook.secret);
  expect(JSON.parse(posts[1]?.body ?? "").data.runId).toBe(body.id);

  const left = processTree(second.program.child.pid ?? 0);
  const began = performance.now();
  const { code } = await second.program.kill("SIGINT");
  console.info(`stopped in ${Math.round(performance.now() - began)} ms`);
  expect(code).toBe(0);
  expect(performance.now() - began).toBeLessThan(10_000);
  await eventually(async () => !left.some(({ pid }) => isAlive(pid)));
});

test("key mint works while nothing runs, and prints only the key", async () => {
  const minted = await command(["platform-key", "mint", "--name", "Alone"], { env: home.env });
  expect(minted.code).toBe(0);
  expect(minted.stdout).toMatch(/^bsp_\w{49}\n$/);
  const listed = await command(["platform-key", "list"], { env: home.env });
  expect(listed.stdout).toContain(minted.stdout.slice(0, 12));
});
