/** The master key: made once, by one of two that start at once, and never made anew beside data that needs the old one. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasMasterKey, loadMasterKey } from "../../src/secrets/master-key.ts";
import { command } from "../support/program.ts";

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
  const { code, stderr } = await command(["api"], { env: { DATA_DIR: nowhere } });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`No database runs on ${nowhere}.`)]);
  expect(existsSync(nowhere)).toBe(false);
});
