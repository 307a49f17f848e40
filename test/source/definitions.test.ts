/** Where things stand in sql/. */
import { definitionFolders } from "../support/definition-folders.ts";
import { readSource, type Source } from "../support/source-rules.ts";

const source = readSource();

/** Grants that do not follow the function, procedure or view that they name. Grants on tables stand in sql/policies. */
function misplacedGrants(files: Source): string[] {
  return Object.entries(files).flatMap(([file, text]) => {
    if (!/^sql\/.*\.sql$/.test(file) || /^sql\/(policies\/|schemas\.sql$|owners\.sql$)/.test(file)) return [];
    let created: string | undefined;
    const misplaced: string[] = [];
    for (const [found, name, granted] of text.matchAll(
      /\bcreate (?:or replace )?(?:function|procedure|(?:materialized )?view) ([\w.]+)|^grant (.*)/gm,
    )) {
      created = name ?? created;
      const object = /^(?:execute on (?:function|procedure)|select on) ([\w.]+)(?:\(.*\))? to /.exec(
        granted ?? "",
      )?.[1];
      if (granted !== undefined && (!object || object !== created)) misplaced.push(`${file}: ${found}`);
    }
    return misplaced;
  });
}

test("every function and view has its grants directly below it", () => {
  expect(misplacedGrants(source)).toEqual([]);
});

test("misplacedGrants finds a grant elsewhere, on several functions or on a whole schema", () => {
  const first = "create function api.first() returns text language sql as $$ select '' $$;\n";
  for (const [text, grant] of [
    [first, "grant execute on function api.second to tenant;"],
    [first, "grant execute on function api.first, api.second to tenant;"],
    [first, "grant execute on all functions in schema api to tenant;"],
    ["", "grant usage on schema api to tenant;"],
  ] as const) {
    expect(misplacedGrants({ "sql/api/misplaced.sql": `${text}${grant}\n` })).toEqual([
      `sql/api/misplaced.sql: ${grant}`,
    ]);
  }
  expect(misplacedGrants({ "sql/api/first.sql": `${first}grant execute on function api.first to tenant;\n` })).toEqual(
    [],
  );
});

/** What a file of sql/ creates in a schema other than the schema of its folder. */
function misplacedDefinitions(files: Source): string[] {
  return Object.entries(files).flatMap(([file, text]) => {
    const folder = /^sql\/(\w+)\//.exec(file)?.[1];
    const created =
      /\bcreate (?:or replace )?(?:function|procedure|(?:materialized )?view|table|type) ((\w+)\.[\w%$]+)/g;
    return [...text.matchAll(created)]
      .filter(([, , schema]) => folder && schema !== folder && schema !== "partitions")
      .map(([, name]) => `${file} creates ${name}`);
  });
}

test("a file creates objects of the schema that its folder is named after", () => {
  expect(misplacedDefinitions(source)).toEqual([]);
  expect(misplacedDefinitions({ "sql/api/runs.sql": "create function caller.cancel() returns void" })).toEqual([
    "sql/api/runs.sql creates caller.cancel",
  ]);
});

test("every folder is a schema, every schema a folder", () => {
  const schemas = source["sql/schemas.sql"] ?? "";
  const dropped = /drop schema if exists([\s\w,]*?)\s+cascade;/.exec(schemas)?.[1]?.split(",") ?? [];
  expect(dropped.map((name) => name.trim()).sort()).toEqual(definitionFolders);
  const described = [...schemas.matchAll(/^ +\('(\w+)', (?:'[\w, ]+'|null), '[^']+'\),?$/gm)];
  expect(described.map(([, name]) => name).sort()).toEqual(definitionFolders);
  for (const folder of definitionFolders) expect(source["sql/audit/catalogue.sql"]).toContain(`'${folder}'`);
});
