/**
 * PostgreSQL's programs of version 18 that the embedded distribution lacks: pg_dump, pg_restore, psql, pg_basebackup,
 * pg_verifybackup, pg_isready, pg_controldata. Installed ones are used if there are any. Otherwise Debian's packages are
 * unpacked below the temporary folder, with their libraries, because this Debian's own release may have an older version,
 * which refuses to work with a newer server.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unlessMissing } from "./machine.ts";

const version = 18;
const installed = `/usr/lib/postgresql/${version}/bin`;
const unpacked = join(tmpdir(), `botstead-postgresql-${version}`);
/** Debian's release that has this version. */
const release = "forky";

/** `test` for tests that need these programs. */
export const testWithPostgresClient = unlessMissing(...withoutPrograms());

/** What is missing, and the line that installs it. */
export function withoutPrograms(): [missing: string, line: string] {
  return [areThere() ? "" : `PostgreSQL ${version} client`, `apt-get install postgresql-client-${version}`];
}

/** Runs a program. @throws Error with its standard error */
export function postgresClient(program: string, args: string[], env: Record<string, string> = {}): string {
  const [file = "", ...before] = commandFor(program);
  const { status, stdout, stderr } = spawnSync(file, [...before, ...args], {
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", ...env },
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0 || stderr !== "") throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}

/** The command line of a program for a shell. */
export function commandFor(program: string): string[] {
  if (existsSync(installed)) return [join(installed, program)];
  const libraries = `${unpacked}/usr/lib/x86_64-linux-gnu`;
  return [`${libraries}/ld-linux-x86-64.so.2`, "--library-path", libraries, `${unpacked}${installed}/${program}`];
}

function areThere(): boolean {
  if (existsSync(installed) || existsSync(unpacked)) return true;
  try {
    unpack();
    return true;
  } catch {
    return existsSync(unpacked); // another test file of this run was first
  }
}

/** Leaves the packages of the system as they are: apt gets folders of its own, and the address of the system's mirror. */
function unpack(): void {
  const draft = `${unpacked}.${process.pid}`;
  for (const folder of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(draft, folder), { recursive: true });
  writeFileSync(join(draft, "status"), "");
  const [mirror] = readFileSync("/etc/apt/sources.list.d/debian.sources", "utf8").match(/^URIs: .*$/m) ?? [];
  const keys = "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg";
  const sources = ["Types: deb", mirror, `Suites: ${release}`, "Components: main", keys, ""].join("\n");
  writeFileSync(join(draft, "debian.sources"), sources);
  const options = [
    `Dir::Etc::sourcelist=${draft}/debian.sources`,
    "Dir::Etc::sourceparts=/dev/null",
    `Dir::State::Lists=${draft}/lists`,
    `Dir::State::status=${draft}/status`,
    `Dir::Cache=${draft}/cache`,
    "APT::Install-Recommends=false",
    "Debug::NoLocking=1",
  ].flatMap((option) => ["-o", option]);
  const apt = (...args: string[]) =>
    execFileSync("apt-get", ["-qq", ...options, ...args], { cwd: draft, timeout: 120_000, stdio: "ignore" });
  try {
    apt("update");
    apt("install", "-y", "--download-only", `postgresql-client-${version}`);
    apt("download", `postgresql-${version}`); // for pg_controldata, without its dependencies
    execFileSync("sh", ["-c", 'for package in *.deb cache/archives/*.deb; do dpkg-deb -x "$package" root; done'], {
      cwd: draft,
    });
    renameSync(join(draft, "root"), unpacked);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
