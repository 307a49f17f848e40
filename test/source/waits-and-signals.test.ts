/**
 * Tests wait for a state with `eventually`, and for a page with `seen` and `gone`. A wait for a time states its reason in a comment. Signals go to processes
 * whose id is known.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../", import.meta.url));
const own = fileURLToPath(import.meta.url);
const wait = /\bawait\b.*\b(setTimeout\(resolve|sleep\(|pause\()|\bpg_sleep\(/;
const comment = /(?<!:)\/\/ |\*\/$|\s-- /;

/** The lines that wait without a comment on the line itself or on the line above, as `line: text`. */
function bareWaits(text: string): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) =>
    wait.test(line) && !comment.test(line) && !comment.test(lines[at - 1] ?? "") ? [`${at + 1}: ${line.trim()}`] : [],
  );
}

test("a wait for a time has a comment that says why", () => {
  const files = globSync("**/*.ts", { cwd: folder }).filter((file) => join(folder, file) !== own);
  const bare = files.flatMap((file) =>
    bareWaits(readFileSync(join(folder, file), "utf8")).map((at) => `${file}:${at}`),
  );
  expect(bare).toEqual([]);
});

test.each([
  "await new Promise((resolve) => setTimeout(resolve, 100));",
  "  await sleep(1_000);",
  "while (!done) await pause(5);",
  'await db.query("select pg_sleep(1)");',
])("bareWaits finds %s unless it has a comment", (line) => {
  expect(bareWaits(line)).toEqual([`1: ${line.trim()}`]);
  expect(bareWaits(`${line} // the length of the outage`)).toEqual([]);
  expect(bareWaits(`// The length of the outage.\n${line}`)).toEqual([]);
});

test("only test/support/process-tree.ts sends signals by process id", () => {
  const senders = globSync("**/*.ts", { cwd: folder }).filter((file) =>
    /\bprocess\.kill\((?!.*, 0\)|["')])/.test(readFileSync(join(folder, file), "utf8")),
  );
  expect(senders).toEqual(["support/process-tree.ts"]);
});

test("only test/support/page-change.ts waits for a locator: one that matches twice for a moment is an error of Playwright", () => {
  const waits = globSync("**/*.ts", { cwd: folder }).filter((file) =>
    /\.waitFor\((\)|\{ state: "(detached|hidden|visible)")/.test(readFileSync(join(folder, file), "utf8")),
  );
  expect(waits).toEqual(["support/page-change.ts"]);
});
