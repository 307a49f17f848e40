/** The GraphQL schema of the console: rows of all organisations, no digests or secrets. */
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
let testServer: TestConsole;
let token: string;

beforeAll(async () => {
  db = await testDatabase();
  testServer = await testConsole(db);
  token = (await mintToken(db, "view")).text;
}, 60_000);

afterAll(async () => {
  await testServer.stop();
  await db.drop();
});

test("an operator reads all organisations", async () => {
  const made = [await makeOrganisation(db), await makeOrganisation(db)];
  const { data } = await testServer.ask("{ organisations(first: 50) { nodes { id name } } }", token);
  const ids = data.organisations.nodes.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
});

test("no field of the schema is a digest or secret", async () => {
  const { data } = await testServer.ask("{ __schema { types { name fields { name } } } }", token);
  const { __schema: schema } = data;
  const fields = schema.types.flatMap((type: { fields?: { name: string }[] }) => type.fields ?? []);
  expect(fields.map(({ name }: { name: string }) => name)).toContain("lastUsedAt");
  expect(fields.map(({ name }: { name: string }) => name).join(" ")).not.toMatch(/digest|secret|sealed/i);
});
