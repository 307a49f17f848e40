/** The cache of compiled code, which the first start, the image and an installation under systemd fill. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { flagOfParts } from "../../src/processes/compile-cache.ts";
import { signalGroup } from "../support/process-tree.ts";
import { eventually } from "../support/worker.ts";

const sourceOf = (file: string) => fileURLToPath(new URL(`../../src/${file}`, import.meta.url));

test("fillCompileCache makes the cache of the flags with which the parts run", async () => {
  const home = mkdtempSync(join(tmpdir(), "botstead-compiled-"));
  const [folder, script] = [join(home, "compiled"), join(home, "script.mjs")];
  const flags = ["--max-semi-space-size=4", "--heap-growing-percent=100"]; // npm start
  writeFileSync(
    script,
    `import { cachedDataVersionTag } from "node:v8";
    import { fillCompileCache } from ${JSON.stringify(sourceOf("processes/compile-cache.ts"))};
    fillCompileCache(${JSON.stringify(folder)});
    process.stdout.write(cachedDataVersionTag().toString(16));`,
  );
  const program = spawn(process.execPath, [...flags, script], { detached: true });
  let tag = "";
  program.stdout.on("data", (text) => {
    tag += text;
  });
  try {
    await eventually(async () => tag !== "" && existsSync(folder) && readdirSync(folder).length > 0);
    expect(readdirSync(folder)).toEqual([expect.stringContaining(`-${tag}-`)]); // Node names it so
  } finally {
    signalGroup(program.pid, "SIGKILL"); // with the process that compiles
    rmSync(home, { recursive: true, force: true });
  }
});

test("the cache has every TypeScript file that the API, the worker and the console load", () => {
  const home = mkdtempSync(join(tmpdir(), "botstead-compiled-"));
  try {
    execFileSync(process.execPath, [sourceOf("compile.js"), home]);
    for (const part of ["api", "worker", "console"]) {
      const { stderr, status } = spawnSync(process.execPath, [sourceOf("botstead.js"), part], {
        env: { DATA_DIR: join(home, "data"), NODE_COMPILE_CACHE: home, NODE_DEBUG_NATIVE: "COMPILE_CACHE" },
        encoding: "utf8",
      });
      expect([part, status]).toEqual([part, 1]); // it has no database
      expect(stderr).toContain("retrieving transpile cache for StrippedTypeScript");
      expect(stderr.match(/no transpile cache for .*/g)).toBeNull();
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test("npm start, the image and the units run with the flags of the compiled code", () => {
  const project = fileURLToPath(new URL("../../", import.meta.url));
  const units = readdirSync(join(project, "ops/systemd")).map((name) => `ops/systemd/${name}`);
  const commands = ["package.json", "Dockerfile", "docs/deploying.md", ...units].flatMap(
    (file) => readFileSync(join(project, file), "utf8").match(/^.*node.* .*src\/botstead\.js (?!build).*$/gm) ?? [],
  );
  const flags = new Set([flagOfParts, ...commands.map((text) => (text.match(/--[\w-]+=\d+/g) ?? []).join(" "))]);
  expect(commands.length).toBeGreaterThan(units.length);
  const tags = [...flags].map((ones) =>
    execFileSync(process.execPath, [...ones.split(" "), "--print", "v8.cachedDataVersionTag()"], { encoding: "utf8" }),
  );
  expect(new Set(tags).size).toBe(1);
});
