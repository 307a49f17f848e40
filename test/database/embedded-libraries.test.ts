/** The links between PostgreSQL's libraries, which an npm package cannot hold. */
import { spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ENVIRONMENT, findBinaries } from "../../src/database/embedded/binaries.ts";
import { linkLibraries } from "../../src/database/embedded/libraries.ts";

const folder = mkdtempSync(join(tmpdir(), "botstead-libraries-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("PostgreSQL as npm unpacks it runs only after linkLibraries, which can be repeated", () => {
  const native = dirname(dirname(findBinaries(undefined).postgres));
  const unpacked = join(folder, "native");
  cpSync(native, unpacked, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
  const run = () => spawnSync(join(unpacked, "bin/postgres"), ["--version"], { env: ENVIRONMENT }).status;
  expect(run()).not.toBe(0);
  linkLibraries(unpacked);
  linkLibraries(unpacked);
  expect(run()).toBe(0);
  const names = (of: string) => readdirSync(join(of, "lib")).toSorted();
  expect(names(unpacked)).toEqual(names(native));
});
