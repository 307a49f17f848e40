/** `start` when a part dies, when a port is in use, and when it stops during work. */
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { type Hooks, startHooks } from "../support/hooks.ts";
import { type Installation, keyIn, makeInstallation, type Started } from "../support/installation.ts";
import { isAlive, processTree, signalGroup, signalProcess } from "../support/process-tree.ts";
import { command, killPrograms } from "../support/program.ts";
import { eventually } from "../support/worker.ts";

let hooks: Hooks;
let home: Installation;
let started: Started | undefined;
let key: string;

beforeAll(async () => {
  hooks = await startHooks();
  home = await makeInstallation(hooks.receiver.ca);
});
afterAll(async () => {
  await home.remove();
  await killPrograms();
  await hooks.close();
});

/** The program that the tests share; started again after a test that ended it. In a process group, as a shell starts it. */
async function running(): Promise<Started> {
  if (started && isAlive(started.program.child.pid ?? 0)) return started;
  started = await home.start({ detached: true });
  key ??= keyIn(started.panel);
  return started;
}

async function subscribe(hook: { url: string }): Promise<string> {
  return (await home.call("POST", "/webhooks", key, { url: hook.url, events: ["run.finished"] })).body.id;
}

const statusOfMe = async () => (await home.call("GET", "/me", key).catch(() => ({ status: 0 }))).status;

test("after PostgreSQL is killed the API responds with 503, and all parts recover", async () => {
  const { parts } = await running();
  const { id: bot } = (await home.call("GET", "/bots", key)).body.data[0];
  const hook = hooks.hook();
  await subscribe(hook);
  const { postgres, main } = parts();

  const seen: number[] = [];
  signalProcess(postgres?.pid, "SIGKILL");
  const killed = performance.now();
  await eventually(async () => {
    seen.push(await statusOfMe());
    return seen.includes(503) && seen.at(-1) === 200;
  });
  console.info(`the API answers again ${Math.round(performance.now() - killed)} ms after PostgreSQL was killed`);
  expect(new Set(seen)).toEqual(new Set([200, 503]));
  expect(parts().main?.pid).toBe(main?.pid);
  expect(parts().postgres?.pid).not.toBe(postgres?.pid);

  await eventually(async () => {
    const run = await home.call("POST", "/runs", key, { botId: bot, message: "When does support answer?" });
    return run.status === 202;
  });
  await eventually(async () => hook.posts().length > 0);
  expect(hook.posts()).toHaveLength(1);
});

test("a delivery that succeeded during a database outage is recorded afterwards and not sent again", async () => {
  const { parts } = await running();
  const answers: (() => void)[] = [];
  const hook = hooks.hook((_request, response) => void answers.push(() => response.writeHead(200).end()));
  const id = await subscribe(hook);
  const { worker, postgres } = parts();
  for (let each = 0; each < 5; each += 1) await home.call("POST", `/webhooks/${id}/test`, key);
  await eventually(async () => answers.length === 5);
  signalProcess(postgres?.pid, "SIGKILL");
  for (const answer of answers) answer();
  type Row = { state: string; attempts: number };
  const rows = async (): Promise<Row[]> => (await home.call("GET", `/webhooks/${id}/deliveries`, key)).body.data ?? [];
  await eventually(async () => (await rows()).filter(({ state }) => state === "delivered").length === 5);
  expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1]);
  expect(hook.posts()).toHaveLength(5);
  expect(parts().worker?.pid).toBe(worker?.pid);
});

test("start restarts a worker that was killed, and it continues its work", async () => {
  const { parts } = await running();
  const before = parts().worker?.pid ?? 0;
  signalProcess(before, "SIGKILL");
  await eventually(async () => (parts().worker?.pid ?? before) !== before);
  const hook = hooks.hook();
  await home.call("POST", `/webhooks/${await subscribe(hook)}/test`, key);
  await eventually(async () => hook.posts().length > 0);
});

test("Ctrl-C lets a delivery in progress finish, and leaves no process", async () => {
  const { program } = await running();
  let answer = () => {};
  const hook = hooks.hook((_request, response) => {
    answer = () => void response.writeHead(200).end();
  });
  const id = await subscribe(hook);
  await home.call("POST", `/webhooks/${id}/test`, key);
  await eventually(async () => hook.posts().length === 1);
  const pid = program.child.pid ?? 0;
  const tree = processTree(pid);

  // A terminal signals the whole group, and npm forwards the signal once more.
  const signalledAt = performance.now();
  signalGroup(pid, "SIGINT");
  await program.says(/Stopping/);
  signalProcess(pid, "SIGINT");
  answer();
  const { code, stdout } = await program.ending;
  expect(code).toBe(0);
  expect(performance.now() - signalledAt).toBeLessThan(10_000);
  expect(stdout).toContain("Stopping: requests and jobs in progress finish first");
  await eventually(async () => !tree.some(({ pid: each }) => isAlive(each)));

  await running();
  const { data } = (await home.call("GET", `/webhooks/${id}/deliveries`, key)).body;
  expect(data).toMatchObject([{ state: "delivered", attempts: 1 }]);
  expect(hook.posts()).toHaveLength(1); // it was recorded and is not sent again
});

test("when start is killed its parts end, and the next start takes over", async () => {
  const { program, parts } = await running();
  const { api, worker, console: itsConsole } = parts();
  await program.kill("SIGKILL");
  await eventually(async () => ![api, worker, itsConsole].some((part) => isAlive(part?.pid ?? 0)));
  const again = await running();
  expect(await statusOfMe()).toBe(200);
  const { code } = await again.program.kill("SIGTERM");
  expect(code).toBe(0);
});

describe("start with a port that it cannot have", () => {
  let unused: Installation;
  beforeEach(async () => {
    unused = await makeInstallation();
  });
  afterEach(() => unused.remove());

  test.each(["PORT", "CONSOLE_PORT"])(
    "fails with a sentence and creates nothing when %s is in use",
    async (setting) => {
      const port = Number(unused.env[setting]);
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
      expect(await command(["start"], { env: unused.env })).toMatchObject({
        code: 1,
        stdout: "",
        stderr: `Port ${port} of 127.0.0.1 is in use by another program. Stop it, or set ${setting} to another port.\n`,
      });
      expect(existsSync(unused.dataDir)).toBe(false);
      await new Promise((resolve) => other.close(resolve));
    },
  );

  test("fails with a sentence and creates nothing when two settings have the same port", async () => {
    const { PORT = "" } = unused.env;
    expect(await command(["start"], { env: { ...unused.env, CONSOLE_PORT: PORT } })).toMatchObject({
      code: 1,
      stderr: `PORT and CONSOLE_PORT are both ${PORT}: give each a port of its own.\n`,
    });
    expect(existsSync(unused.dataDir)).toBe(false);
  });
});
