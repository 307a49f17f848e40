/**
 * Programs of the machine that some tests need, and libraries of theirs. One that is not there is installed when that takes no question; else its
 * tests are left out by name, with the line that brings it. In CI leaving out is failing.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TestWithPrograms = (name: string, story: () => Promise<void>, timeoutMs?: number) => void;

/** `test` for stories that need these programs, each named as its Debian package is. */
export function testWith(...programs: string[]): TestWithPrograms {
  const missing = programs.filter((program) => !areThere(program));
  return unlessMissing(missing.join(", "), `apt-get update && apt-get install -y ${missing.join(" ")}`);
}

/** Whether all of them are, or can be had: for what surrounds such stories, or a whole file of them. */
export function areThere(...programs: string[]): boolean {
  return programs.every((program) => {
    if (!found.has(program)) found.set(program, isThere(program) || (install(program) && isThere(program)));
    return found.get(program);
  });
}

/** What was found is not looked for, or installed, again. */
const found = new Map<string, boolean>();

/** `test` for stories that mount a file system, as root alone may. */
export function testWithMounts(): TestWithPrograms {
  const folder = mkdtempSync(join(tmpdir(), "botstead-mount-"));
  const may = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]).status === 0;
  if (may) execFileSync("umount", [folder]);
  rmdirSync(folder);
  return unlessMissing(may ? "" : "right to mount a file system", "sudo npm run test:fault");
}

/** `test` for stories of what root alone does. */
export function testAsRoot(): TestWithPrograms {
  return unlessMissing(process.getuid?.() === 0 ? "" : "right to act as root", "sudo npm run test:fault");
}

/** @param line that brings what is missing; none is when it is named by an empty string */
function unlessMissing(missing: string, line: string): TestWithPrograms {
  if (missing === "") return (name, story, timeoutMs = 60_000) => void test(name, story, timeoutMs);
  return (name, story) => {
    if (process.env.CI !== "true") test.skip(`${name} (left out: there is no ${missing}; ${line})`, story);
    else {
      test(name, () => {
        throw new Error(`There is no ${missing}. To have it: ${line}`);
      });
    }
  };
}

/** How to tell that something is there that is no command of its package's name. */
const asked: Record<string, string> = {
  "python3-psycopg": "/usr/bin/python3 -c 'import psycopg'",
  systemd: "command -v systemd-analyze",
  chromium: "test -x /usr/bin/chromium",
};

function isThere(program: string): boolean {
  return spawnSync("sh", ["-c", asked[program] ?? `command -v ${program}`]).status === 0;
}

function install(program: string): boolean {
  if (process.getuid?.() !== 0) return false;
  const apt = "apt-get -qq -o DPkg::Lock::Timeout=300"; // two files of tests may come here at once
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const script = `${apt} update && ${apt} install -y ${program}`;
    execFileSync("sh", ["-c", script], { env, stdio: "ignore", timeout: 300_000 });
    return true;
  } catch {
    return false;
  }
}
