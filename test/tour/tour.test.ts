/** `npm run tour` without a running server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browsers } from "../../examples/tour/browser.ts";
import { eventually } from "../support/worker.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "botstead tour "));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The environment names an unreachable server, because the tour must use only its own. */
function start() {
  const { PATH, HOME } = process.env;
  const unreachable = {
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    MASTER_KEY: "",
    BASE_URL: "https://api.example",
  };
  const child = spawn(process.execPath, ["examples/tour/main.ts"], {
    env: { PATH, HOME, TMPDIR: folder, ...unreachable },
  });
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output.text += chunk));
  return { child, output };
}

test("the tour completes without a running server, and removes its files", async () => {
  const { child, output } = start();
  const [code] = await once(child, "close");
  const printed = output.text;
  const browser = browsers.find((path) => existsSync(path));
  expect(printed).toContain("Tour boat: The tour boat leaves from pier 4 at half past nine. (timetable; memory ");
  expect(printed).toContain('"event": "run.finished"');
  expect(printed).toContain("409 conflict");
  expect(printed).toMatch(/http:\S+\/approval\/bsa_\w+/);
  expect(printed).toContain(
    browser
      ? `In ${browser}: "May I write to all 40 guests?", the tour presses Approve, and the page says: Approved.`
      : "the tour posts the form of the page: the page says Approved.",
  );
  expect(printed).toContain("May I write to all 40 guests? approved.");
  expect(printed).toContain("From now on the API answers 401");
  expect(printed).toContain("Every step had the expected result.");
  expect(code).toBe(0);
  expect(readdirSync(folder).filter((name) => name.startsWith("botstead"))).toEqual([]);
});

test("an interrupted tour stops its server and removes its folder", async () => {
  const { child, output } = start();
  await eventually(async () => output.text.includes("GET /me"));
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  expect(code).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});
