/**
 * Programs and libraries that some tests need. A missing program is installed if that needs no confirmation. Otherwise the
 * tests are skipped with the command that installs it. CI fails instead of skipping.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TestWithPrograms = (name: string, story: () => Promise<void>, timeoutMs?: number) => void;

/** `test` for tests that need these programs, named as their Debian packages. */
export function testWith(...programs: string[]): TestWithPrograms {
  const missing = programs.filter((program) => !areThere(program));
  return unlessMissing(missing.join(", "), `apt-get update && apt-get install -y ${missing.join(" ")}`);
}

/** Whether all of them are available or installable. For set-up, or for a whole file. */
export function areThere(...programs: string[]): boolean {
  return programs.every((program) => {
    if (!found.has(program)) found.set(program, isThere(program) || (install(program) && isThere(program)));
    return found.get(program);
  });
}

/** Caches what was found or installed. */
const found = new Map<string, boolean>();

/** `test` for tests that mount a file system, which requires root. */
export function testWithMounts(): TestWithPrograms {
  const folder = mkdtempSync(join(tmpdir(), "botstead-mount-"));
  const may = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]).status === 0;
  if (may) execFileSync("umount", [folder]);
  rmdirSync(folder);
  return unlessMissing(may ? "" : "right to mount a file system", "sudo npm run test:fault");
}

/** `test` for tests that require root. */
export function testAsRoot(): TestWithPrograms {
  return unlessMissing(process.getuid?.() === 0 ? "" : "right to act as root", "sudo npm run test:fault");
}

/** @param line the command that installs what is missing; "" if nothing is */
export function unlessMissing(missing: string, line: string): TestWithPrograms {
  if (missing === "") return (name, story, timeoutMs) => void test(name, story, timeoutMs);
  return (name, story) => {
    if (process.env.CI !== "true") test.skip(`${name} (left out: there is no ${missing}; ${line})`, story);
    else {
      test(name, () => {
        throw new Error(`There is no ${missing}. To have it: ${line}`);
      });
    }
  };
}

/** Checks for packages whose command has another name. */
const commands: Record<string, string> = {
  "python3-cryptography": "/usr/bin/python3 -c 'import cryptography'",
  "python3-httpx": "/usr/bin/python3 -c 'import httpx'",
  "python3-psycopg": "/usr/bin/python3 -c 'import psycopg'",
  "python3-hatchling": "/usr/bin/python3 -c 'import hatchling'",
  "postgresql-client": "command -v psql",
  "libsecret-tools": "command -v secret-tool",
  "gnome-keyring": "command -v gnome-keyring-daemon",
  "dbus-daemon": "command -v dbus-run-session",
  systemd: "command -v systemd-analyze",
  "etcd-server": "command -v etcd",
};

function isThere(program: string): boolean {
  return spawnSync("sh", ["-c", commands[program] ?? `command -v ${program}`]).status === 0;
}

function install(program: string): boolean {
  if (process.getuid?.() !== 0) return false;
  const apt = "apt-get -qq -o DPkg::Lock::Timeout=300"; // two test files may run this at the same time
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const script = `${apt} update && ${apt} install -y ${program}`;
    execFileSync("sh", ["-c", script], { env, stdio: "ignore", timeout: 300_000 });
    return true;
  } catch {
    return false;
  }
}
