/**
 * `npm run test:fault`: runs the suites that `npm test` leaves out, and prints the counts that the tests of test/fault and
 * test/hostile report. The exit code is 1 when a test failed, and 2 when anything was lost or doubled.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { faultSuites } from "../../test/fault-suites.ts";
import { updatePage } from "./page.ts";
import { runTests } from "./run.ts";
import { judge, table } from "./summary.ts";

const page = new URL("../../bench/notes/reliability-results.md", import.meta.url);
const usage = `npm run test:fault -- [options] [path ...]

  (no option)       the short form, as in CI: all suites of test/fault-suites.ts, several files at a time
  --all             also the suites of npm test, in the same run
  --long            repeat each fault often enough to see rare failures: only test/fault and test/hostile, one file at a
                    time, more than an hour
  --write           update bench/notes/reliability-results.md; sections of files that did not run stay as they are
  --json <file>     write jest's results to this file
  --config <file>   use this jest configuration instead of the project's

Paths select test files, as they do with jest.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean" },
    all: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    json: { type: "string" },
    config: { type: "string" },
  },
});
if (values.help) process.stdout.write(usage);
else {
  const { all, long, json, config } = values;
  const suites = all ? [""] : long ? ["fault/", "hostile/"] : faultSuites;
  const paths = positionals.length > 0 ? positionals : suites.map((suite) => `/test/${suite}`);
  const files = await runTests({ paths, long, json, config });
  const { verdict, exitCode } = judge(files);
  process.stdout.write(`\n${table(files)}\n\n${verdict}\n`);
  if (values.write) writeFileSync(page, updatePage(readFileSync(page, "utf8"), files, { long }));
  process.exitCode = exitCode;
}
