import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyInto } from "../../src/database/embedded/binaries.ts";
import { testAsRoot } from "../support/machine.ts";

// Only root needs copies: other users run the programs in place.
const asRoot = testAsRoot();

let folder: string;
let native: string;
let cache: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "botstead-binaries-"));
  [native, cache] = [join(folder, "native"), join(folder, "cache")];
  mkdirSync(join(native, "bin"), { recursive: true, mode: 0o700 });
  writeFileSync(join(native, "bin", "postgres"), "a program", { mode: 0o700 });
  writeFileSync(join(native, "words"), "some words", { mode: 0o600 });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("copyInto", () => {
  asRoot("makes the copy readable by all and writable only by root, for any modes of the original", async () => {
    const copy = copyInto(cache, native, "postgres-1");
    expect(copy).toBe(join(cache, "postgres-1"));
    const modes = ["", "bin", "bin/postgres", "words"].map((name) => statSync(join(cache, "postgres-1", name)).mode);
    expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(["755", "755", "755", "644"]);
  });

  asRoot("copies once, and again if a file of the copy is truncated", async () => {
    const copy = copyInto(cache, native, "postgres-1") ?? "";
    const { ino } = statSync(copy);
    copyInto(cache, native, "postgres-1");
    expect(statSync(copy).ino).toBe(ino);
    writeFileSync(join(copy, "words"), "");
    copyInto(cache, native, "postgres-1");
    expect(readFileSync(join(copy, "words"), "utf8")).toBe("some words");
  });

  asRoot("returns undefined if another user could change the copy", async () => {
    expect(copyInto(cache, native, "postgres-1")).toBeDefined();
    chmodSync(cache, 0o777);
    expect(copyInto(cache, native, "postgres-1")).toBeUndefined();
    chmodSync(cache, 0o755);
    chownSync(join(cache, "postgres-1"), 65534, 65534);
    expect(copyInto(cache, native, "postgres-1")).toBeUndefined();
  });
});
