/** The cache of compiled code that the first start fills. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/worker.ts";

test("fillCompileCache makes the cache of the flags with which the parts run", async () => {
  const home = mkdtempSync(join(tmpdir(), "botstead-compiled-"));
  const [folder, script] = [join(home, "compiled"), join(home, "script.mjs")];
  const flags = ["--max-semi-space-size=4", "--heap-growing-percent=100"]; // npm start
  writeFileSync(
    script,
    `import { cachedDataVersionTag } from "node:v8";
    import { fillCompileCache } from ${JSON.stringify(new URL("../../src/processes/compile-cache.ts", import.meta.url))};
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
    process.kill(-(program.pid ?? 0), "SIGKILL"); // with the process that compiles
    rmSync(home, { recursive: true, force: true });
  }
}, 60_000);
