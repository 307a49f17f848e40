/**
 * `npm run contract`: holds the contract that the code makes against three things, and exits with 1 when one is not so.
 *
 * - docs/openapi.json, the copy that reviewers read, is that contract.
 * - Two linters have nothing to say of it.
 * - No client of docs/openapi-released.json, the contract of the last release, breaks by it.
 *
 * `-- --update` writes the copy; `-- --release` takes the contract as released, once it is.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { compareContracts } from "./changes.ts";
import { drift } from "./drift.ts";
import { lint } from "./lint.ts";

const copy = new URL("../../docs/openapi.json", import.meta.url);
const released = new URL("../../docs/openapi-released.json", import.meta.url);
const most = 30;

/** As a server says it that is started with no settings. */
const text = `${JSON.stringify(openApiDocument("http://127.0.0.1:3000"), null, 2)}\n`;
const document = JSON.parse(text);

if (process.argv.includes("--update") || process.argv.includes("--release")) writeFileSync(copy, text);
if (process.argv.includes("--release")) writeFileSync(released, text);

report(
  "docs/openapi.json is the contract.",
  [...drift(JSON.parse(readFileSync(copy, "utf8")), document)],
  [
    "docs/openapi.json is not what the code serves. They differ at:",
    "If the contract is meant to change: npm run contract -- --update",
  ],
);

report("Redocly and Spectral have nothing to say of it.", await lint(text), [
  "The linters say of it:",
  "The rules that are off, and why, are in tools/contract/lint.ts.",
]);

const changes = compareContracts(JSON.parse(readFileSync(released, "utf8")), document);
const line = ({ at, what }: (typeof changes)[number]) => `${at} ${what}`;
for (const change of changes.filter(({ breaking }) => !breaking)) console.log(`Since the release: ${line(change)}.`);
report("Nobody who uses the released contract breaks by it.", changes.filter(({ breaking }) => breaking).map(line), [
  "Clients of the released contract (docs/openapi-released.json) would break:",
  "docs/versioning.md says what may change, and how what may not is done.",
]);

function report(good: string, faults: string[], [before, after]: [string, string]): void {
  if (faults.length === 0) {
    console.log(good);
    return;
  }
  const shown = faults.slice(0, most).map((fault) => `  ${fault}`);
  const more = faults.length > most ? [`  and ${faults.length - most} more`] : [];
  console.error([before, ...shown, ...more, after].join("\n"));
  process.exitCode = 1;
}
