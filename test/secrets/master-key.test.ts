/** The master key: made once, by one of two that start at once, and never made anew beside data that needs the old one. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasMasterKey, loadMasterKey } from "../../src/secrets/master-key.ts";

const botstead = fileURLToPath(new URL("../../src/botstead.js", import.meta.url));

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "botstead-key-"));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

const kept = () => ({ dataDir, masterKey: undefined });

test("a key is made once, for its owner's eyes, and found again", () => {
  expect(hasMasterKey(kept())).toBe(false);
  const first = loadMasterKey(kept());
  expect(statSync(join(dataDir, "master.key")).mode & 0o777).toBe(0o600);
  expect(hasMasterKey(kept())).toBe(true);
  expect(loadMasterKey(kept()).sealing).toEqual(first.sealing);
  expect(loadMasterKey(kept()).password("server")).toBe(first.password("server"));
  expect(first.password("server")).not.toBe(first.password("worker"));
});

test("a key that is gone from beside its database is asked for and not replaced", () => {
  mkdirSync(join(dataDir, "postgres"));
  expect(() => loadMasterKey(kept())).toThrow(/is gone; put .*master\.key back from a copy/);
  expect(existsSync(join(dataDir, "master.key"))).toBe(false);
});

test("a damaged key is told and left as it is", () => {
  writeFileSync(join(dataDir, "master.key"), "short\n");
  expect(() => loadMasterKey(kept())).toThrow(/damaged/);
  expect(readFileSync(join(dataDir, "master.key"), "utf8")).toBe("short\n");
});

test("a part that finds no database makes neither folder nor key", async () => {
  const nowhere = join(dataDir, "nowhere");
  const child = spawn(process.execPath, [botstead, "api"], { env: { ...process.env, DATA_DIR: nowhere } });
  const said: Buffer[] = [];
  child.stderr.on("data", (part: Buffer) => said.push(part));
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(1);
  expect(Buffer.concat(said).toString()).toContain(`No database runs on ${nowhere}.`);
  expect(existsSync(nowhere)).toBe(false);
});
