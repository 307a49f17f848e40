/**
 * `npm run contract`: checks the contract that the code generates. The exit code is 1 when a check fails.
 *
 * - docs/openapi.json, the copy that reviewers read, is equal to it. So is the table in docs/specification/events.md.
 * - The linter reports no problem.
 * - It does not break clients of the last release, whose surface is in tools/contract/released.jsonl.
 *
 * `-- --update` writes the copy and the table. `-- --release` also records the contract as released.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { contractDocument } from "../../src/api/openapi/document.ts";
import { accepted } from "./accepted.ts";
import { compareContracts } from "./changes.ts";
import { drift } from "./drift.ts";
import { withEventTable } from "./event-table.ts";
import { lint } from "./lint.ts";
import { readSurface, surfaceOf, writeSurface } from "./surface.ts";

const copy = new URL("../../docs/openapi.json", import.meta.url);
const released = new URL("released.jsonl", import.meta.url);
const eventPage = new URL("../../docs/specification/events.md", import.meta.url);
const maxShown = 30;

/** The contract of a server that runs with default settings. The server adds samples. */
const text = `${JSON.stringify(contractDocument("http://127.0.0.1:3000"), null, 2)}\n`;
const document = JSON.parse(text);

if (process.argv.includes("--update") || process.argv.includes("--release")) {
  writeFileSync(copy, text);
  writeFileSync(eventPage, withEventTable(readFileSync(eventPage, "utf8")));
}
if (process.argv.includes("--release")) writeFileSync(released, writeSurface(surfaceOf(document)));

report(
  "docs/openapi.json matches the code.",
  [...drift(JSON.parse(readFileSync(copy, "utf8")), document)],
  [
    "docs/openapi.json does not match the code. They differ at:",
    "If the change is intended, run npm run contract -- --update.",
  ],
);

const events = readFileSync(eventPage, "utf8");
report(
  "docs/specification/events.md matches the code.",
  events === withEventTable(events) ? [] : ["the table of kinds"],
  ["docs/specification/events.md does not match the code:", "Run npm run contract -- --update."],
);

report("Redocly reports no problem.", await lint(text), [
  "Redocly reports:",
  "tools/contract/lint.ts lists the disabled rules and the reasons.",
]);

const changes = compareContracts(readSurface(readFileSync(released, "utf8")), document);
const line = ({ at, what }: (typeof changes)[number]) => `${at} ${what}`;
for (const change of changes.filter((each) => !each.breaking)) console.log(`Since the release: ${line(change)}.`);
const breaking = changes.filter((change) => change.breaking).map(line);
report(
  "The contract does not break clients of the last release, except as tools/contract/accepted.ts accepts.",
  [
    ...breaking.filter((change) => !(change in accepted)),
    ...Object.keys(accepted).flatMap((change) =>
      breaking.includes(change) ? [] : [`${change}: accepted, but it does not occur`],
    ),
  ],
  [
    "Clients of the released contract (tools/contract/released.jsonl) would break:",
    "docs/versioning.md lists the changes that are allowed, and how to make others.",
  ],
);

function report(good: string, faults: string[], [before, after]: [string, string]): void {
  if (faults.length === 0) {
    console.log(good);
    return;
  }
  const shown = faults.slice(0, maxShown).map((fault) => `  ${fault}`);
  const more = faults.length > maxShown ? [`  and ${faults.length - maxShown} more`] : [];
  console.error([before, ...shown, ...more, after].join("\n"));
  process.exitCode = 1;
}
