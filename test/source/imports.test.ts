/**
 * The source follows its rules; and each rule finds a planted violation.
 */
import { readSource, type Source, sourceRules } from "../support/import-rules.ts";

/** By rule: files to add, and the expected violations. */
const faults: Record<string, [fault: Source, violations: string[]][]> = {
  "only config.ts reads the environment": [
    [
      { "src/http/careless.ts": "// process.env is read elsewhere\nconst home = process.env.HOME;" },
      ["src/http/careless.ts:2"],
    ],
    [{ "src/careless.ts": 'import { env } from "node:process";' }, ["src/careless.ts:1"]],
  ],
  "parts import only from parts below them": [
    [
      { "src/contract/careless.ts": 'import { call } from "../http/perform.ts";' },
      ["src/contract/careless.ts imports src/http/perform.ts"],
    ],
    [
      { "src/delivery/careless.ts": 'import type { ApiPools } from "../database/connections/api-pools.ts";' },
      ["src/delivery/careless.ts imports src/database/connections/api-pools.ts"],
    ],
    [
      { "src/http/pages/careless.ts": 'import {\n  post,\n} from "../../delivery/post.ts";' },
      ["src/http/pages/careless.ts imports src/delivery/post.ts"],
    ],
    [
      { "src/console/careless.ts": 'import { perform } from "../http/perform.ts";' },
      ["src/console/careless.ts imports src/http/perform.ts"],
    ],
    [
      { "src/database/careless.ts": 'export { x } from "../worker/worker.ts";' },
      ["src/database/careless.ts imports src/worker/worker.ts"],
    ],
  ],
  "no import is circular": [
    [
      {
        "src/careless/one.ts": 'import { two } from "./two.ts";',
        "src/careless/two.ts": 'import { three } from "./three.ts";',
        "src/careless/three.ts": 'import type { One } from "./one.ts";',
      },
      [
        "src/careless/one.ts imports src/careless/two.ts",
        "src/careless/two.ts imports src/careless/three.ts",
        "src/careless/three.ts imports src/careless/one.ts",
      ],
    ],
    [
      {
        "src/careless/one.ts": 'import { two } from "./two.ts";',
        "src/careless/two.ts": 'const { one } = await import("./one.ts");',
      },
      ["src/careless/one.ts imports src/careless/two.ts", "src/careless/two.ts imports src/careless/one.ts"],
    ],
  ],
  "the API reaches the database only through its pools": [
    [{ "src/http/careless.ts": 'import { Pool } from "pg";' }, ["src/http/careless.ts imports pg"]],
    [{ "src/http/careless.ts": 'import { DatabaseError, Client } from "pg";' }, ["src/http/careless.ts imports pg"]],
    [{ "src/http/careless.ts": 'import pg from "pg";' }, ["src/http/careless.ts imports pg"]],
  ],
  "the API's only statement is the call of api.handle": [
    [{ "src/http/careless.ts": 'const text = "select id from app.runs";' }, ["src/http/careless.ts:1"]],
    [{ "src/http/careless.ts": 'const text = "select jobs.run_maintenance()";' }, ["src/http/careless.ts:1"]],
    [{ "src/http/careless.ts": "const text = `update app.runs set state = 'failed'`;" }, ["src/http/careless.ts:1"]],
  ],
  "only delivery, and the engine for models, make HTTP requests": [
    [{ "src/worker/careless.ts": 'import { request } from "undici";' }, ["src/worker/careless.ts imports undici"]],
    [{ "src/runner/careless.ts": 'import OpenAI from "openai";' }, ["src/runner/careless.ts imports openai"]],
    [{ "src/runner/careless.ts": "await fetch(url);" }, ["src/runner/careless.ts:1"]],
    [{ "src/http/careless.ts": "\nawait fetch(url);" }, ["src/http/careless.ts:2"]],
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
