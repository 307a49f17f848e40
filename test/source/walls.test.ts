/**
 * The walls of the source stand; and each would tell if it did not: a faulty file is put beside the real ones.
 */
import { readSource, type Source, sourceWalls } from "../support/source-walls.ts";

/** By wall: files to add, and the breaches that must be named. */
const faults: Record<string, [fault: Source, breaches: string[]][]> = {
  "the environment is read in config.ts alone": [
    [
      { "src/http/careless.ts": "// process.env is read elsewhere\nconst home = process.env.HOME;" },
      ["src/http/careless.ts:2"],
    ],
    [{ "src/careless.ts": 'import { env } from "node:process";' }, ["src/careless.ts:1"]],
  ],
  "nothing imports from above itself": [
    [
      { "src/contract/careless.ts": 'import { call } from "../http/operation.ts";' },
      ["src/contract/careless.ts imports src/http/operation.ts"],
    ],
    [
      { "src/delivery/careless.ts": 'import type { Lanes } from "../database/lanes.ts";' },
      ["src/delivery/careless.ts imports src/database/lanes.ts"],
    ],
    [
      { "src/http/pages/careless.ts": 'import {\n  post,\n} from "../../delivery/post.ts";' },
      ["src/http/pages/careless.ts imports src/delivery/post.ts"],
    ],
    [
      { "src/database/careless.ts": 'export { x } from "../worker/worker.ts";' },
      ["src/database/careless.ts imports src/worker/worker.ts"],
    ],
  ],
  "no file imports what leads back to it": [
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
  ],
  "the API reaches the database through its lanes, and opens no connection of its own": [
    [{ "src/http/careless.ts": 'import { Pool } from "pg";' }, ["src/http/careless.ts imports pg"]],
    [{ "src/http/careless.ts": 'import { DatabaseError, Client } from "pg";' }, ["src/http/careless.ts imports pg"]],
    [{ "src/http/careless.ts": 'import pg from "pg";' }, ["src/http/careless.ts imports pg"]],
  ],
  "the API says one statement to the database, the call of api.handle": [
    [{ "src/http/careless.ts": 'const text = "select id from app.runs";' }, ["src/http/careless.ts:1"]],
    [{ "src/http/careless.ts": 'const text = "select jobs.sweep()";' }, ["src/http/careless.ts:1"]],
    [{ "src/http/careless.ts": "const text = `update app.runs set state = 'failed'`;" }, ["src/http/careless.ts:1"]],
  ],
  "what leaves the building by HTTP leaves from delivery, or from the engine for models to its service": [
    [{ "src/worker/careless.ts": 'import { request } from "undici";' }, ["src/worker/careless.ts imports undici"]],
    [{ "src/runner/careless.ts": 'import OpenAI from "openai";' }, ["src/runner/careless.ts imports openai"]],
    [{ "src/runner/careless.ts": "await fetch(url);" }, ["src/runner/careless.ts:1"]],
    [{ "src/http/careless.ts": "\nawait fetch(url);" }, ["src/http/careless.ts:2"]],
  ],
  "sql/index lists every file of sql/ once, and none that is not there": [
    [{ "sql/api/careless.sql": "" }, ["sql/api/careless.sql is not listed"]],
    [
      { "sql/index": `${readSource()["sql/index"]}\napi/gone.sql\ngrants.sql\n` },
      ["api/gone.sql is not there", "grants.sql is listed twice"],
    ],
  ],
  "definitions make no table but the list of operations, and migrations no definition": [
    [{ "sql/api/careless.sql": "create table app.careless (id uuid);" }, ["sql/api/careless.sql:1"]],
    [
      { "migrations/committed/000099-careless.sql": "--! Previous: -\n\ncreate policy open on app.runs;" },
      ["migrations/committed/000099-careless.sql:3"],
    ],
  ],
};

const source = readSource();

test("the source is there to be looked through, and a fault for every wall", () => {
  expect(Object.keys(source).length).toBeGreaterThan(100);
  expect(Object.keys(faults)).toEqual(sourceWalls.map(({ name }) => name));
});

describe.each(sourceWalls)("$name", ({ name, breaches }) => {
  test("in the source as it is", () => {
    expect(breaches(source)).toEqual([]);
  });

  test("and a breach is noticed", () => {
    for (const [fault, expected] of faults[name] ?? []) {
      const found = breaches({ ...source, ...fault });
      expect(found.sort()).toEqual([...expected].sort());
    }
  });
});
