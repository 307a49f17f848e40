/**
 * `npm run test:fault`: runs the tests of test/fault and test/hostile one after the other, and prints what each of them
 * counted. Exits with 1 when a test failed, or anything was lost, doubled or unexpected.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { written } from "./page.ts";
import { runTests } from "./run.ts";
import { judge, table } from "./summary.ts";

const page = new URL("../../docs/reliability.md", import.meta.url);
const usage = `npm run test:fault -- [options] [path ...]

  --long            as often as it takes to see what is rare: an hour and more; without it as often as in CI
  --write           give docs/reliability.md the result; what it says of files that did not run stays
  --config <file>   a configuration of jest's in place of the project's

Paths narrow it to files of tests, as they do with jest.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean" },
    long: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    config: { type: "string" },
  },
});
if (values.help) process.stdout.write(usage);
else {
  const paths = positionals.length > 0 ? positionals : ["test/fault", "test/hostile"];
  const files = await runTests({ paths, long: values.long, config: values.config });
  const { verdict, good } = judge(files);
  process.stdout.write(`\n${table(files)}\n\n${verdict}\n`);
  if (values.write) writeFileSync(page, written(readFileSync(page, "utf8"), files, { long: values.long }));
  if (!good) process.exitCode = 1;
}
