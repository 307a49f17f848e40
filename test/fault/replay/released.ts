/** The last released version, from the history of the repository. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Version } from "../../support/next-version.ts";

const project = fileURLToPath(new URL("../../../", import.meta.url));
const git = (...args: string[]) => execFileSync("git", args, { cwd: project, maxBuffer: 1e9, stdio: "pipe" });

export type Release = { commit: string; number: string };

/** Undefined in a clone without the history. */
export function lastRelease(): Release | undefined {
  try {
    const [, commit, number] = /^(\w+) release: (\d[\d.]*)/m.exec(git("log", "--format=%H %s").toString()) ?? [];
    return commit && number ? { commit, number } : undefined;
  } catch {
    return undefined;
  }
}

/** It uses the packages of this version. */
export function makeReleasedVersion(commit: string): Version {
  const folder = mkdtempSync(join(tmpdir(), "botstead-released-"));
  const files = ["src", "sql", "migrations", "docs/openapi.json", "package.json", "package-lock.json", ".gmrc"];
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", commit, ...files) });
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  return {
    script: join(folder, "src/botstead.js"),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
