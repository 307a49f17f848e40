/**
 * `npm run audit:dependencies`: known vulnerabilities of the packages of production, and registry signatures of all packages, also
 * of the folders with a lock file of their own. Exits with 1 for a finding, and with 2 where the registry or the network does not
 * offer the data, so that a check that could not run is no success.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { installPackages } from "../packages.ts";

type Vulnerability = { name: string; severity: string; range: string };
type Signed = { name: string; version: string };
type Report = {
  error?: { summary?: string };
  message?: string;
  vulnerabilities?: Record<string, Vulnerability>;
  invalid?: Signed[];
  missing?: Signed[];
};

function npm(folder: string, ...args: string[]): Report {
  const { stdout, stderr } = spawnSync("npm", [...args, "--json", "--fetch-retries=0"], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
    maxBuffer: 2 ** 28,
  });
  try {
    return JSON.parse(stdout) as Report;
  } catch {
    return { error: { summary: stderr.trim() || stdout.trim() || "npm printed no result" } };
  }
}

/** @returns the exit code */
function check(name: string, report: Report, isAnswered: boolean, findings: string[]): number {
  if (report.error || !isAnswered) {
    const reason = report.error?.summary || report.message || "npm printed no result";
    console.error(`${name}: not checked. The registry does not offer the data: ${reason}.`);
    return 2;
  }
  for (const finding of findings) console.error(`${name}: ${finding}`);
  if (findings.length === 0) console.info(`${name}: nothing found.`);
  return findings.length > 0 ? 1 : 0;
}

function checkVulnerabilities(): number {
  const audit = npm(".", "audit", "--omit=dev");
  const vulnerable = Object.values(audit.vulnerabilities ?? {}).map(
    ({ name, severity, range }) => `${name} ${range} has a vulnerability of severity ${severity}`,
  );
  return check("Vulnerabilities", audit, audit.vulnerabilities !== undefined, vulnerable);
}

/** npm checks the signatures of installed packages only. */
function checkSignatures(folder: string): number {
  const title = folder === "." ? "Signatures" : `Signatures of ${folder}`;
  try {
    if (folder !== ".") installPackages(resolve(folder));
  } catch (error) {
    return check(title, { error: { summary: (error as Error).message } }, false, []);
  }
  const signatures = npm(folder, "audit", "signatures");
  return check(title, signatures, signatures.invalid !== undefined, [
    ...(signatures.invalid ?? []).map(({ name, version }) => `${name}@${version} has an invalid signature`),
    ...(signatures.missing ?? []).map(({ name, version }) => `${name}@${version} has no signature`),
  ]);
}

const folders = globSync("{.,bench,tools/*,test/support/*}/package-lock.json").map(dirname).toSorted();
const codes = [checkVulnerabilities(), ...folders.map(checkSignatures)];
process.exitCode = codes.includes(1) ? 1 : Math.max(...codes);
if (codes.includes(2))
  console.error("Run the command where npm reaches the public registry and the key repository of Sigstore.");
