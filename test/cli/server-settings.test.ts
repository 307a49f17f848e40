/** Commands in another shell find the settings of the running `botstead start`. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Installation, keyIn, makeInstallation, type Started } from "../support/installation.ts";
import { command, killPrograms } from "../support/program.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "botstead-folder-")));
const secret = "sk-model";
let home: Installation;
let started: Started;

beforeAll(async () => {
  home = await makeInstallation(undefined, { MODEL_API_KEY: secret, MODEL_BASE_URL: "http://127.0.0.1:9/v1" });
  started = await home.start({ cwd: folder });
});
afterAll(async () => {
  await killPrograms();
  await home.remove();
  rmSync(folder, { recursive: true, force: true });
});

const there = (...args: string[]) => command(args, { cwd: folder });

test("start prints the key, the addresses and the command for a token in one piece, with DATA_DIR", () => {
  const [, after = ""] = started.panel.split("Demo organisation created.");
  expect(keyIn(after)).toMatch(/^bsk_/);
  expect(after).toMatch(/Botstead is ready\.\n\n {2}API /);
  expect(after).toContain(`(token: DATA_DIR=${home.dataDir} npx botstead operator mint --name you --scope act)`);
});

test("a command in the folder of the start, without a setting, finds its database and says so", async () => {
  const { code, stdout, stderr } = await there("operator", "mint", "--name", "Olga");
  expect([code, stderr]).toEqual([0, `Using the server that was started here, with DATA_DIR=${home.dataDir}.\n`]);
  expect(stdout).toMatch(/^bso_/);
});

test("audit verify has the name of the log, which comes from PORT of the server", async () => {
  const keyOf = async (env: Record<string, string>) => (await command(["audit", "key"], { env })).stdout;
  expect(await keyOf({ DATA_DIR: home.dataDir })).toContain(`127.0.0.1:${home.env.PORT}/audit+`);
  expect((await there("audit", "verify")).code).toBe(0);
});

test("a setting of the command has priority over the setting of the server", async () => {
  const env = { DATA_DIR: home.dataDir, AUDIT_ORIGIN: "example.com/audit" };
  expect((await command(["audit", "key"], { env })).stdout).toContain("example.com/audit+");
});

test("the files have no secret and are for their owner alone, and none is left when the server has stopped", async () => {
  const files = [join(home.dataDir, "server.json"), join(folder, ".botstead", "server.json")];
  for (const file of files) {
    expect(readFileSync(file, "utf8")).not.toContain(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  await started.program.kill("SIGTERM");
  expect(files.filter((file) => existsSync(file))).toEqual([]);
  expect((await there("status")).stderr).toContain(`No database runs on ${join(folder, ".botstead")}.`);
});
