/** An installation without packages of development serves the pages that were built before. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/database/embedded/port.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { docBlocks, inProject } from "../support/doc-blocks.ts";
import { answersAt, killPrograms, runProgram, untilWorks } from "../support/program.ts";

const folder = mkdtempSync(join(tmpdir(), "botstead-pruned-"));
let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(async () => {
  await killPrograms();
  await db.drop();
  rmSync(folder, { recursive: true, force: true });
});

test("the printed commands install, build, and prune; then the portal is served", async () => {
  for (const name of ["package.json", "package-lock.json", ".npmrc", "tsconfig.json", "src", "sql", "migrations"])
    cpSync(inProject(name), join(folder, name), { recursive: true });
  const block =
    docBlocks().find(({ text }) => text.startsWith("npm ci && npx botstead build && npm prune"))?.text ?? "";
  const env = { ...process.env, npm_config_prefer_offline: "true" };
  execFileSync("sh", ["-ec", block], { cwd: folder, env, stdio: "pipe" });
  expect(existsSync(join(folder, "node_modules/vite"))).toBe(false);
  expect(spawnSync(join(folder, "node_modules/.bin/node"), ["--version"], { encoding: "utf8" }).stdout).toMatch(
    /^v2\d/,
  );

  const port = await freePort();
  const program = runProgram(["api"], {
    script: join(folder, "src/botstead.js"),
    cwd: folder,
    env: { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey, DATA_DIR: join(folder, "data"), PORT: String(port) },
  });
  const url = `http://127.0.0.1:${port}`;
  await untilWorks(program, () => answersAt(url));
  expect((await fetch(`${url}/portal`)).status).toBe(200);
  await program.kill("SIGTERM");
});
