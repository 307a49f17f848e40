/**
 * The tour, taken as a stranger takes it: beside a server that knows nothing of it, then beside one that was started as
 * the tour says. (README.)
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import { wordsOf } from "../support/smtp.ts";

const servers: ChildProcess[] = [];
let folder: string;
let settings: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "botstead tour "));
  settings = { DATA_DIR: join(folder, "data"), PORT: String(await freePort()), CONSOLE_PORT: "0" };
});

afterAll(async () => {
  for (const server of servers) await stop(server);
  rmSync(folder, { recursive: true, force: true });
});

test("without a server the tour says how to start one", async () => {
  const { code, told } = await run("src/tour/main.ts");
  expect(told).toContain(`No server answers at http://127.0.0.1:${settings.PORT}. Start one in another terminal`);
  expect(code).toBe(1);
});

test("a tour refused for its receiver says how to start the server, and so started it goes to its end", async () => {
  const first = await start();
  const refused = await run("src/tour/main.ts");
  expect(refused.told).toContain("The server refuses a receiver on this machine");
  expect(refused.told).not.toContain("Every step went as told.");
  expect(refused.code).toBe(1);
  await stop(first);

  const [, ranges = "", caFile = ""] =
    /WEBHOOK_ALLOW_RANGES=(\S+) WEBHOOK_CA_FILE='(.+)' npm start/.exec(refused.told) ?? [];
  await start({ WEBHOOK_ALLOW_RANGES: ranges, WEBHOOK_CA_FILE: caFile });
  const taken = await run("src/tour/main.ts");
  expect(taken.told).toContain("Tour boat: The tour boat leaves from pier 4 at half past nine. (timetable; claim ");
  expect(taken.told).toContain('"event": "run.finished"');
  expect(taken.told).toContain("409 conflict");
  const [link = ""] = /http:\S+\/approval\/bsa_\w+/.exec(taken.told) ?? [];
  const mails = join(folder, "data", "mail");
  const mailed = readdirSync(mails).map((file) => wordsOf(readFileSync(join(mails, file), "utf8")));
  expect(mailed.filter((words) => words.includes(link))).toHaveLength(1); // the link that was told came by mail
  expect(taken.told).toContain(
    existsSync("/usr/bin/chromium")
      ? 'In /usr/bin/chromium: "May I write to all 40 guests?", Approve is pressed, and the page says: Approved.'
      : "its form is sent as a browser would: the page says Approved.",
  );
  expect(taken.told).toContain("May I write to all 40 guests? approved.");
  expect(taken.told).toContain("From now on it is answered with 401");
  expect(taken.told).toContain("Every step went as told.");
  expect(taken.code).toBe(0);
}, 120_000);

/** Resolves when the panel has been printed. */
async function start(more: Record<string, string> = {}): Promise<ChildProcess> {
  const server = spawn(process.execPath, ["src/botstead.js", "start"], { env: environment(more) });
  servers.push(server);
  let told = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk) => (told += chunk));
  await new Promise<void>((resolve, reject) => {
    server.stdout.on("data", () => told.includes("Botstead is ready.") && resolve());
    server.once("exit", () => reject(new Error(`The server ended: ${told}`)));
  });
  return server;
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, "exit");
  server.kill("SIGTERM");
  await gone;
}

async function run(script: string): Promise<{ code: number | null; told: string }> {
  const child = spawn(process.execPath, [script], { env: environment() });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (told += chunk));
  const [code] = await once(child, "close");
  return { code, told };
}

/** Only what is said here: whatever the surroundings have set is none of the test's business. */
function environment(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...settings, ...more };
}
