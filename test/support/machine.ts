/**
 * Programs of the machine that some tests need, and libraries of theirs. One that is not there is installed when that takes no question; else its
 * tests are left out by name, with the line that brings it. In CI leaving out is failing.
 */
import { execFileSync, spawnSync } from "node:child_process";

export type TestWithPrograms = (name: string, story: () => Promise<void>, timeoutMs?: number) => void;

/** `test` for stories that need these programs, each named as its Debian package is. */
export function testWith(...programs: string[]): TestWithPrograms {
  const missing = programs.filter((program) => !isThere(program) && !(install(program) && isThere(program)));
  if (missing.length === 0) return (name, story, timeoutMs = 60_000) => void test(name, story, timeoutMs);
  const line = `apt-get update && apt-get install -y ${missing.join(" ")}`;
  return (name, story) => {
    if (process.env.CI !== "true") test.skip(`${name} (left out: there is no ${missing.join(", ")}; ${line})`, story);
    else {
      test(name, () => {
        throw new Error(`There is no ${missing.join(", ")}. To have it: ${line}`);
      });
    }
  };
}

/** How to tell that something is there that is no command. */
const asked: Record<string, string> = { "python3-psycopg": "/usr/bin/python3 -c 'import psycopg'" };

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
