/** What the console shows: every view of schema operator, and nothing that is kept as a digest or sealed. */
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
let here: TestConsole;
let token: string;

beforeAll(async () => {
  db = await testDatabase();
  here = await testConsole(db);
  token = (await mintToken(db, "view")).text;
}, 60_000);

afterAll(async () => {
  await here.stop();
  await db.drop();
});

test("an operator reads all organisations", async () => {
  const made = [await makeOrganisation(db), await makeOrganisation(db)];
  const { data } = await here.ask("{ allOrganisations { nodes { rowId name } } }", token);
  const ids = data.allOrganisations.nodes.map(({ rowId }: { rowId: string }) => rowId);
  expect(ids).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
});

test("every view answers, nothing can be written, and no digest or secret has a name", async () => {
  const { data } = await here.ask(
    "{ __schema { queryType { fields { name } } mutationType { name } types { name fields { name } } } }",
    token,
  );
  const { __schema: schema } = data;
  expect(schema.mutationType).toBeNull();
  const lists = schema.queryType.fields
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => /^all/.test(name));
  const views = await db.sql("select from pg_views where schemaname = 'operator'");
  expect(lists).toHaveLength(views.length);
  for (const list of lists) {
    const answer = await here.ask(`{ ${list} { nodes { __typename } } }`, token);
    expect(answer.errors).toBeUndefined();
  }
  const fields = schema.types.flatMap((type: { fields?: { name: string }[] }) => type.fields ?? []);
  expect(fields.map(({ name }: { name: string }) => name).join(" ")).not.toMatch(/digest|secret|sealed/i);
});
