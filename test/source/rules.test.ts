/**
 * The source follows its rules; and each rule finds a planted violation.
 */
import { readSource, type Source, sourceRules } from "../support/source-rules.ts";

/** By rule: files to add, and the expected violations. */
const faults: Record<string, [fault: Source, violations: string[]][]> = {
  "only config.ts reads the environment": [
    [
      { "src/api/careless.ts": "// process.env is read elsewhere\nconst home = process.env.HOME;" },
      ["src/api/careless.ts:2"],
    ],
    [{ "src/careless.ts": 'import { env } from "node:process";' }, ["src/careless.ts:1"]],
  ],
  "only terminal.ts prints": [
    [{ "src/cli/careless.ts": "process.stdout.write(name);" }, ["src/cli/careless.ts:1"]],
    [
      { "src/tenant/careless.ts": "\n(failed ? process.stderr : process.stdout).write(name);" },
      ["src/tenant/careless.ts:2"],
    ],
    [{ "src/worker/careless.ts": "console.error(name);" }, ["src/worker/careless.ts:1"]],
  ],
  "the API's only statements call api.handle, the counters of shared rate limits and what a process asks for itself": [
    [{ "src/api/careless.ts": 'const text = "select id from app.runs";' }, ["src/api/careless.ts:1"]],
    [{ "src/api/careless.ts": 'const text = "select jobs.run_maintenance()";' }, ["src/api/careless.ts:1"]],
    [{ "src/cells/careless.ts": 'const text = "select api.get_memory($1)";' }, ["src/cells/careless.ts:1"]],
    [{ "src/api/careless.ts": "const text = `update app.runs set state = 'failed'`;" }, ["src/api/careless.ts:1"]],
  ],
  "only delivery, and the engine for models, make HTTP requests": [
    [{ "src/runner/careless.ts": "await fetch(url);" }, ["src/runner/careless.ts:1"]],
    [{ "src/api/careless.ts": "\nawait fetch(url);" }, ["src/api/careless.ts:2"]],
  ],
  "sql/index lists every file of sql/ once, and no other": [
    [{ "sql/api/careless.sql": "" }, ["sql/api/careless.sql is not listed"]],
    [
      { "sql/index": `${readSource()["sql/index"]}\napi/gone.sql\nowners.sql\n` },
      ["api/gone.sql is not there", "owners.sql is listed twice"],
    ],
  ],
  "definitions create no table except api.operations, and migrations create no definition": [
    [{ "sql/api/careless.sql": "create table app.careless (id uuid);" }, ["sql/api/careless.sql:1"]],
    [
      { "migrations/committed/000099-careless.sql": "--! Previous: -\n\ncreate policy open on app.runs;" },
      ["migrations/committed/000099-careless.sql:3"],
    ],
  ],
  "aliases in SQL name their rows, so none is held, shown or former": [
    [
      {
        "sql/api/careless.sql":
          "select former.id from app.runs former\njoin (select 1) shown on true\nwhere true;\nwith former as (select 1) select 1;",
      },
      ["sql/api/careless.sql:1", "sql/api/careless.sql:2", "sql/api/careless.sql:4"],
    ],
  ],
};

const source = readSource();

test("the source is complete, and every rule has a planted violation", () => {
  expect(Object.keys(source).length).toBeGreaterThan(100);
  expect(Object.keys(faults)).toEqual(sourceRules.map(({ name }) => name));
});

describe.each(sourceRules)("$name", ({ name, violations }) => {
  test("holds for the source", () => {
    expect(violations(source)).toEqual([]);
  });

  test("finds planted violations", () => {
    for (const [fault, expected] of faults[name] ?? []) {
      const found = violations({ ...source, ...fault });
      expect(found.sort()).toEqual([...expected].sort());
    }
  });
});
