/** The master key is created once, and never replaced while a database needs it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasMasterKey, loadMasterKey } from "../../src/secrets/master-key.ts";
import { keysForRotation } from "../../src/secrets/rotation.ts";
import { command } from "../support/program.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "botstead-key-"));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

const kept = () => ({ dataDir, masterKey: undefined });

test("loadMasterKey creates a key once, readable only by its owner", () => {
  expect(hasMasterKey(kept())).toBe(false);
  const first = loadMasterKey(kept());
  expect(statSync(join(dataDir, "master.key")).mode & 0o777).toBe(0o600);
  expect(hasMasterKey(kept())).toBe(true);
  expect(loadMasterKey(kept()).sealing).toEqual(first.sealing);
  expect(loadMasterKey(kept()).password("server")).toBe(first.password("server"));
  expect(first.password("server")).not.toBe(first.password("worker"));
});

test("loadMasterKey refuses to replace a missing key beside its database", () => {
  mkdirSync(join(dataDir, "postgres"));
  expect(() => loadMasterKey(kept())).toThrow(/is missing; restore .*master\.key from a backup/);
  expect(existsSync(join(dataDir, "master.key"))).toBe(false);
});

test("loadMasterKey refuses a damaged key and leaves it unchanged", () => {
  writeFileSync(join(dataDir, "master.key"), "short\n");
  expect(() => loadMasterKey(kept())).toThrow(/damaged/);
  expect(readFileSync(join(dataDir, "master.key"), "utf8")).toBe("short\n");
});

test("after a rotation that lost the former key, each command leads to the key that it left", () => {
  const [path, next] = [join(dataDir, "master.key"), join(dataDir, "master.key.next")];
  writeFileSync(next, `${Buffer.alloc(32, 7).toString("base64")}\n`);
  expect(() => loadMasterKey(kept())).toThrow(/complete it with: botstead master-key rotate$/);
  expect(() => keysForRotation({ ...kept(), newMasterKey: undefined })).toThrow(
    `There is no master key in ${dataDir}. Rename ${next}, the key of an interrupted rotation, to ${path}.`,
  );
  renameSync(next, path);
  expect(loadMasterKey(kept()).sealing).toHaveLength(32);
});

test("a process without a database creates neither folder nor key", async () => {
  const nowhere = join(dataDir, "nowhere");
  const { code, stderr } = await command(["api"], { env: { DATA_DIR: nowhere } });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`No database runs on ${nowhere}.`)]);
  expect(existsSync(nowhere)).toBe(false);
});
