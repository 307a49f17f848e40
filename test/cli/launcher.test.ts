/** `src/botstead.js`, started by a Node that is too old. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "botstead-launcher-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asNode20 = 'Object.defineProperty(process, "versions", { value: { node: "20.0.0" } })';

/** Runs the program in the folder, by a Node that reports version 20. */
function start() {
  const options = ["--import", `data:text/javascript,${encodeURIComponent(asNode20)}`];
  const script = join(folder, "src/botstead.js");
  return spawnSync(process.execPath, [...options, script, "status", "--json"], { encoding: "utf8" });
}

const link = join(folder, "node_modules/.bin/node");
const packaged = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);

test("an old Node says what to install, where no package has a Node", () => {
  mkdirSync(join(folder, "src"));
  for (const file of ["src/botstead.js", "src/installed-node.js", "package.json"])
    cpSync(join(project, file), join(folder, file));
  const refused = start();
  expect([refused.status, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toMatch(/^Botstead needs Node 24 or later, .*install Node 24 yourself\.\n$/);
});

test("an old Node starts the Node of the package, and makes the link that npm 10 removes", () => {
  mkdirSync(dirname(packaged), { recursive: true });
  writeFileSync(packaged, '#!/bin/sh\nshift\necho "$*"\nexit 3\n', { mode: 0o755 });
  for (const _attempt of ["without the link", "with it"]) {
    const launched = start();
    expect([launched.status, launched.stdout, launched.stderr]).toEqual([3, "status --json\n", ""]);
    expect(realpathSync(link)).toBe(realpathSync(packaged));
  }
});
