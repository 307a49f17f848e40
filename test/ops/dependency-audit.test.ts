/** `npm run audit:dependencies`, against registries that answer differently, and its weekly workflow. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { inProject } from "../support/doc-blocks.ts";

const folder = mkdtempSync(join(tmpdir(), "botstead-audit-"));
const version = "1.0.0";
const manifest = { name: "audited", version, dependencies: { "bad-package": version } };
const bad = { version, integrity: "sha512-AA==" };
const packages = { "": manifest, "node_modules/bad-package": bad };
/** Relative paths and contents. The package is installed in `bench` only. */
const files = {
  "package.json": manifest,
  "package-lock.json": { ...manifest, lockfileVersion: 3, requires: true, packages },
  "bench/package.json": manifest,
  "bench/package-lock.json": { ...manifest, lockfileVersion: 3, requires: true, packages },
  "bench/node_modules/.package-lock.json": { lockfileVersion: 3, packages: { "node_modules/bad-package": bad } },
  "bench/node_modules/bad-package/package.json": { name: "bad-package", version },
};
for (const [path, content] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(content));
}
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command with a registry that answers requests for advisories with this body, or with 405. */
async function auditBy(advisories: object | undefined): Promise<{ code: number | null; output: string }> {
  const registry = createServer((request, response) => {
    const isAnswered = advisories && request.url?.endsWith("/advisories/bulk");
    response.writeHead(isAnswered ? 200 : 405, { "content-type": "application/json" });
    response.end(JSON.stringify(isAnswered ? advisories : {}));
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const { port } = registry.address() as AddressInfo;
  try {
    const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}`, npm_config_cache: folder };
    const child = spawn(process.execPath, [inProject("tools/audit/main.ts")], { cwd: folder, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { code, output };
  } finally {
    registry.closeAllConnections();
    registry.close();
  }
}

test("a vulnerable package exits with 1 and is named", async () => {
  const advisory = { id: 1, url: "https://example.test", title: "Bad", severity: "high", vulnerable_versions: "<2" };
  const { code, output } = await auditBy({ "bad-package": [{ ...advisory, cwe: [], cvss: { score: 8 } }] });
  expect(output).toMatch(/^Vulnerabilities: bad-package .* severity high$/m);
  expect(code).toBe(1);
});

test("a registry without the data exits with 2 and a sentence for each check", async () => {
  const { code, output } = await auditBy(undefined);
  expect(output).toMatch(/^Vulnerabilities: not checked\. The registry does not offer the data: 405 .*$/m);
  expect(output).toMatch(/^Signatures: not checked\./m);
  expect(output).toMatch(/^Signatures of bench: not checked\./m);
  expect(code).toBe(2);
});

test("the workflow runs the command each week, by actions that are pinned by commit", () => {
  const text = readFileSync(inProject(".github/workflows/dependencies.yml"), "utf8");
  const { on, jobs } = parse(text);
  const { scripts } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  const steps: { uses?: string; run?: string }[] = jobs.audit.steps;
  expect(on.schedule[0].cron).toMatch(/^\d+ \d+ \* \* [0-6]$/);
  expect(steps.flatMap(({ uses }) => uses ?? [])).toEqual([expect.stringMatching(/^actions\/checkout@[0-9a-f]{40}$/)]);
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual(["npm ci", "npm run audit:dependencies"]);
  expect(scripts).toHaveProperty("audit:dependencies");
});
