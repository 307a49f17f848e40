/** `botstead build`, in an installation whose processes run as a user who owns nothing (docs/deploying.md). */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../src/database/embedded/port.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { answersAt, killPrograms, type Program, runProgram, untilWorks } from "../support/program.ts";
import { eventually } from "../support/worker.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));
const installation = mkdtempSync("/var/tmp/botstead-installation-"); // readable by every user, unlike a home directory
const isRoot = process.getuid?.() === 0;
const user = isRoot ? "65534" : userInfo().username;
const cache = join(installation, "node_modules/.cache");
const script = join(installation, "src/botstead.js");

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  mkdirSync(join(installation, "node_modules"));
  const packages = readdirSync(join(project, "node_modules")).filter((name) => name !== ".cache");
  copy(["package.json", "package-lock.json", "migrations", "src", "sql", "tsconfig.json"], "");
  copy(packages, "node_modules");
  writable(false);
});

afterAll(async () => {
  await killPrograms();
  await db.drop();
  writable(true);
  rmSync(installation, { recursive: true });
});

/** Links the files, which takes no space. On another file system it copies them. */
function copy(names: string[], folder: string): void {
  const paths = [...names.map((name) => join(project, folder, name)), join(installation, folder)];
  try {
    execFileSync("cp", ["--archive", "--link", ...paths], { stdio: "ignore" });
  } catch {
    execFileSync("cp", ["--archive", ...paths]);
  }
}

/** For a test that does not run as root, and so cannot become another user. */
const writable = (yes: boolean) => {
  for (const folder of ["", "node_modules"]) chmodSync(join(installation, folder), yes ? 0o755 : 0o555);
};

async function run(
  part: "api" | "console",
  env: Record<string, string> = {},
): Promise<{ url: string; program: Program }> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const program = runProgram([script, part], {
    cwd: installation,
    // The flags of the units.
    script: "--heap-growing-percent=100",
    through: isRoot ? ["setpriv", `--reuid=${user}`, "--regid=65534", "--clear-groups"] : [],
    env: {
      DATABASE_URL: db.adminUrl,
      MASTER_KEY: db.masterKey,
      DATA_DIR: "/nonexistent",
      PORT: port,
      CONSOLE_PORT: port,
      ...env,
    },
  });
  await untilWorks(program, () => answersAt(url));
  return { url, program };
}

test("without the build, the portal answers 503 and the log says what to run", async () => {
  const { url, program } = await run("api");
  const answer = await fetch(`${url}/portal`);
  expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
    503,
    "unavailable",
  ]);
  const said = "building the pages for browsers failed, they answer 503 until `botstead build` ran";
  await eventually(async () => program.stderr().includes(said));
  await program.kill("SIGTERM");
});

test("without the build and without Vite, a start and botstead build say what to run", async () => {
  writable(true);
  const [vite, hidden] = [join(installation, "node_modules/vite"), join(installation, "vite")];
  renameSync(vite, hidden);
  try {
    const { url, program } = await run("api");
    expect((await fetch(`${url}/portal`)).status).toBe(503);
    const said = "npm ci --omit=dev leaves out Vite";
    expect(program.stderr()).toContain(said);
    await program.kill("SIGTERM");
    const built = spawnSync(process.execPath, [script, "build"], { cwd: installation, encoding: "utf8" });
    expect([built.status, built.stderr.includes(said)]).toEqual([1, true]);
  } finally {
    renameSync(hidden, vite);
    rmSync(cache, { recursive: true, force: true });
    writable(false);
  }
});

test("after the build, every page is served and all code comes from the cache", async () => {
  writable(true);
  execFileSync("sh", ["-c", 'umask 077; exec "$@"', "sh", process.execPath, script, "build", "--user", user], {
    cwd: installation,
  });
  writable(false);
  for (const part of ["api", "console"] as const) {
    const { url, program } = await run(part, { NODE_DEBUG_NATIVE: "COMPILE_CACHE" });
    if (part === "api") {
      const page = await fetch(`${url}/portal`);
      expect(page.status).toBe(200);
      const [, main = ""] = /<script type="module" src="([^"]+)">/.exec(await page.text()) ?? [];
      expect((await fetch(url + main)).status).toBe(200);
    } else {
      const [program = ""] = readdirSync(join(cache, "botstead-front"));
      const [file = ""] = readdirSync(join(cache, "botstead-front", program, "assets"));
      expect((await fetch(`${url}/front/assets/${file}`)).status).toBe(200);
    }
    await program.kill("SIGTERM");
    expect(program.stderr()).toContain("retrieving transpile cache for StrippedTypeScript");
    expect(program.stderr().match(/no transpile cache for .*/g)).toBeNull();
  }
});
