/**
 * `npm run audit:dependencies`: known vulnerabilities and registry signatures of the installed packages. Exits with 1 for a finding,
 * and with 2 where the registry or the network does not offer the data, so that a check that could not run is no success.
 */
import { spawnSync } from "node:child_process";

type Vulnerability = { name: string; severity: string; range: string };
type Signed = { name: string; version: string };
type Report = {
  error?: { summary?: string };
  message?: string;
  vulnerabilities?: Record<string, Vulnerability>;
  invalid?: Signed[];
  missing?: Signed[];
};

function npm(...args: string[]): Report {
  const { stdout, stderr } = spawnSync("npm", [...args, "--json", "--fetch-retries=0"], {
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
    console.error("Run the command where npm reaches the public registry and the key repository of Sigstore.");
    return 2;
  }
  for (const finding of findings) console.error(`${name}: ${finding}`);
  if (findings.length === 0) console.info(`${name}: nothing found.`);
  return findings.length > 0 ? 1 : 0;
}

const audit = npm("audit", "--omit=dev");
const vulnerable = Object.values(audit.vulnerabilities ?? {}).map(
  ({ name, severity, range }) => `${name} ${range} has a vulnerability of severity ${severity}`,
);
const signatures = npm("audit", "signatures");
const badlySigned = [
  ...(signatures.invalid ?? []).map(({ name, version }) => `${name}@${version} has an invalid signature`),
  ...(signatures.missing ?? []).map(({ name, version }) => `${name}@${version} has no signature`),
];
const codes = [
  check("Vulnerabilities", audit, audit.vulnerabilities !== undefined, vulnerable),
  check("Signatures", signatures, signatures.invalid !== undefined, badlySigned),
];
process.exitCode = codes.includes(1) ? 1 : Math.max(...codes);
