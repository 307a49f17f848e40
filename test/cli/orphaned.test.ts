/** `kill -9` of what started Botstead: no process is left after a bounded time, and the next start works. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../src/database/embedded/port.ts";
import { isAlive, type Process, processTree, signalAll, signalProcess } from "../support/process-tree.ts";
import { asForUse, cli } from "../support/program.ts";
import { eventually } from "../support/worker.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Requests and jobs in progress complete, then PostgreSQL shuts down; 15 s each at most. */
const boundMs = 45_000;
let folder: string;
let env: Record<string, string>;
let child: ChildProcess;
let seen: Process[];
let said: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "botstead-orphaned-"));
  const { PATH = "", HOME = "" } = process.env;
  env = { PATH, HOME, PORT: String(await freePort()), CONSOLE_PORT: String(await freePort()), ...asForUse };
});
beforeEach(() => {
  seen = [];
  said = "";
});
afterEach(() => signalAll(seen, "SIGKILL"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts in a data folder of this name. */
function start(name: string, file: string, args: string[], more: Record<string, string> = {}): void {
  child = spawn(file, args, {
    cwd: root,
    env: { ...env, ...more, DATA_DIR: join(folder, name) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
}

const tree = () => processTree(child.pid ?? 0);
const isReady = () => /Botstead is ready/.test(said);
const hasProcess = (pattern: RegExp) => tree().some(({ command }) => pattern.test(command));

/** Waits, kills the first process, and expects that the whole tree ends. */
async function killWhen(condition: () => boolean): Promise<void> {
  await eventually(async () => condition());
  seen = tree();
  expect(seen.length).toBeGreaterThan(1);
  signalProcess(child.pid, "SIGKILL");
  await eventually(async () => !seen.some(({ pid }) => isAlive(pid)) && !hasServer(), boundMs);
}

/** A process that began after the kill, such as PostgreSQL's, names the data folder. */
const hasServer = () =>
  readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
    } catch {
      return false; // ended meanwhile
    }
  });

const asStart = (name: string) => start(name, process.execPath, [cli, "start"]);

test.each([
  ["during initdb", () => hasProcess(/initdb/)],
  // A kill between the starts of PostgreSQL and its guardian leaves PostgreSQL to the next start.
  ["while PostgreSQL starts", () => hasProcess(/postgres .*-D /) && hasProcess(/botstead-guardian/)],
  ["during the migration", () => said.includes("Applying definitions")],
  ["while the parts start", () => said.includes("Starting the API")],
])("kill -9 of start %s leaves no process", async (_when, condition) => {
  asStart("data");
  await killWhen(condition);
});

test("kill -9 of start while it runs leaves no process", async () => {
  asStart("data");
  await killWhen(isReady);
});

test("the next start is ready; a start right after its kill -9 waits for the killed processes' ports, and stops in order", async () => {
  asStart("data");
  await eventually(async () => isReady());
  const first = tree();
  signalProcess(child.pid, "SIGKILL");
  said = "";
  asStart("data");
  await eventually(async () => isReady());
  seen = [...first, ...tree()];
  child.kill("SIGTERM");
  await eventually(async () => child.exitCode === 0 && !seen.some(({ pid }) => isAlive(pid)) && !hasServer(), boundMs);
});

test("kill -9 of npm ends every process of npm start", async () => {
  start("data", "npm", ["start"]);
  await killWhen(isReady);
});

const olderNode = ["/usr/local/bin/node", "/usr/bin/node"].find((path) => existsSync(path)) ?? process.execPath;

test("kill -9 of the launcher under an older Node ends every process of start", async () => {
  start("data", olderNode, [cli, "start"]);
  await killWhen(isReady);
});
