/** `start` when a part dies, when a port is in use, and when it stops during work. */
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { type Installation, keyIn, makeInstallation } from "../support/installation.ts";
import { isAlive, processTree } from "../support/process-tree.ts";
import { command, killPrograms } from "../support/program.ts";
import { type Receiver, type Respond, startReceiver } from "../support/receiver.ts";
import { eventually } from "../support/worker.ts";

let answer: Respond | undefined;
let receiver: Receiver;
let home: Installation;

beforeEach(async () => {
  answer = undefined;
  receiver = await startReceiver({
    respond: (request, response) => (answer ?? ((_request, ok) => ok.writeHead(200).end()))(request, response),
  });
  home = await makeInstallation(receiver.ca);
});
afterEach(async () => {
  await home.remove();
  await killPrograms();
  await receiver.close();
});

const status = async (key: string) => (await home.call("GET", "/me", key).catch(() => ({ status: 0 }))).status;

test("after PostgreSQL is killed the API responds with 503, and all parts recover", async () => {
  const { panel, parts } = await home.start();
  const key = keyIn(panel);
  const { id: bot } = (await home.call("GET", "/bots", key)).body.data[0];
  await home.call("POST", "/webhooks", key, { url: receiver.url, events: ["run.finished"] });
  const { postgres, main } = parts();

  const seen: number[] = [];
  const polling = (async () => {
    for (const end = Date.now() + 30_000; Date.now() < end; ) {
      const began = Date.now();
      seen.push(await status(key));
      expect(Date.now() - began).toBeLessThan(5_000); // no response takes longer
      if (seen.includes(503) && seen.at(-1) === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  process.kill(postgres?.pid ?? 0, "SIGKILL");
  const killed = performance.now();
  await polling;
  console.info(`the API answers again ${Math.round(performance.now() - killed)} ms after PostgreSQL was killed`);
  expect(new Set(seen)).toEqual(new Set([200, 503]));
  expect(parts().main?.pid).toBe(main?.pid);
  expect(parts().postgres?.pid).not.toBe(postgres?.pid);

  let run: { status: number } = { status: 0 };
  await eventually(async () => {
    run = await home.call("POST", "/runs", key, { botId: bot, message: "When does support answer?" });
    return run.status === 202;
  });
  await receiver.waitFor(1, 20_000);
  expect(receiver.received).toHaveLength(1);
}, 90_000);

test("a delivery that succeeded during a database outage is recorded afterwards and not sent again", async () => {
  const { panel, parts } = await home.start();
  const key = keyIn(panel);
  const { id } = (await home.call("POST", "/webhooks", key, { url: receiver.url, events: ["run.finished"] })).body;
  answer = (_request, response) => void setTimeout(() => response.writeHead(200).end(), 1_000);
  const { worker } = parts();
  for (let each = 0; each < 5; each += 1) await home.call("POST", `/webhooks/${id}/test`, key);
  await receiver.waitFor(5, 10_000);
  process.kill(parts().postgres?.pid ?? 0, "SIGKILL");
  type Row = { state: string; attempts: number };
  const rows = async (): Promise<Row[]> => (await home.call("GET", `/webhooks/${id}/deliveries`, key)).body.data ?? [];
  await eventually(async () => (await rows()).filter(({ state }) => state === "delivered").length === 5, 30_000);
  expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1]);
  expect(receiver.received).toHaveLength(5);
  expect(parts().worker?.pid).toBe(worker?.pid);
}, 60_000);

test("start restarts a worker that was killed, and it continues its work", async () => {
  const { panel, parts } = await home.start();
  const key = keyIn(panel);
  const before = parts().worker?.pid ?? 0;
  process.kill(before, "SIGKILL");
  await eventually(async () => (parts().worker?.pid ?? before) !== before);
  const webhook = await home.call("POST", "/webhooks", key, { url: receiver.url, events: ["run.finished"] });
  await home.call("POST", `/webhooks/${webhook.body.id}/test`, key);
  await receiver.waitFor(1, 20_000);
}, 60_000);

describe("start on a taken port", () => {
  let other: Server;
  afterEach(() => new Promise((resolve) => other.close(resolve)));

  test.each(["PORT", "CONSOLE_PORT"])(
    "fails for %s with a sentence before it creates anything",
    async (setting) => {
      const port = Number(home.env[setting]);
      other = createServer();
      await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
      expect(await command(["start"], { env: home.env })).toMatchObject({
        code: 1,
        stdout: "",
        stderr: `Port ${port} of 127.0.0.1 is in use by another program. Stop it, or set ${setting} to another port.\n`,
      });
      expect(existsSync(home.dataDir)).toBe(false);
    },
    60_000,
  );
});

test("two settings with the same port fail with a sentence before anything is created", async () => {
  const { PORT = "" } = home.env;
  const env = { ...home.env, CONSOLE_PORT: PORT };
  expect(await command(["start"], { env })).toMatchObject({
    code: 1,
    stderr: `PORT and CONSOLE_PORT are both ${PORT}: give each a port of its own.\n`,
  });
  expect(existsSync(home.dataDir)).toBe(false);
});

test("Ctrl-C lets a delivery in progress finish, and leaves no process", async () => {
  const { panel, program } = await home.start({ detached: true });
  const key = keyIn(panel);
  const webhook = (await home.call("POST", "/webhooks", key, { url: receiver.url, events: ["run.finished"] })).body;
  answer = (_request, response) => void setTimeout(() => response.writeHead(200).end(), 2_000);
  await home.call("POST", `/webhooks/${webhook.id}/test`, key);
  await receiver.waitFor(1, 10_000);
  const tree = processTree(program.child.pid ?? 0);

  // A terminal signals the whole group, and npm forwards the signal once more.
  const pid = program.child.pid ?? 0;
  const asked = performance.now();
  process.kill(-pid, "SIGINT");
  await program.says(/Stopping/);
  process.kill(pid, "SIGINT");
  const { code, stdout } = await program.ending;
  expect(code).toBe(0);
  expect(performance.now() - asked).toBeLessThan(10_000);
  expect(stdout).toContain("Stopping: requests and jobs in progress finish first");
  await eventually(async () => !tree.some(({ pid: each }) => isAlive(each)));

  const again = await home.start();
  const { data } = (await home.call("GET", `/webhooks/${webhook.id}/deliveries`, key)).body;
  expect(data).toMatchObject([{ state: "delivered", attempts: 1 }]);
  expect(receiver.received).toHaveLength(1); // it was recorded and is not sent again
  await again.program.kill("SIGTERM");
}, 60_000);

test("when start is killed its parts end, and the next start takes over", async () => {
  const { panel, program, parts } = await home.start();
  const { api, worker, console: itsConsole } = parts();
  await program.kill("SIGKILL");
  await eventually(async () => ![api, worker, itsConsole].some((part) => isAlive(part?.pid ?? 0)));
  const again = await home.start();
  expect(await status(keyIn(panel))).toBe(200);
  const { code } = await again.program.kill("SIGTERM");
  expect(code).toBe(0);
}, 60_000);
