/** The GraphQL schema of the console: rows of all organisations, no digests or secrets. */
import { consoleOfFile, mintToken } from "../support/console.ts";
import { makeOrganisation } from "../support/database.ts";

const here = consoleOfFile();
let token: string;

beforeAll(async () => {
  token = (await mintToken(here.db, "view")).text;
});

test("an operator reads all organisations", async () => {
  const made = [await makeOrganisation(here.db), await makeOrganisation(here.db)];
  const { data } = await here.testServer.ask("{ organisations(first: 50) { nodes { id name } } }", token);
  const ids = data.organisations.nodes.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
});

test("no field of the schema is a digest or secret", async () => {
  const { data } = await here.testServer.ask("{ __schema { types { name fields { name } } } }", token);
  const { __schema: schema } = data;
  const fields = schema.types.flatMap((type: { fields?: { name: string }[] }) => type.fields ?? []);
  expect(fields.map(({ name }: { name: string }) => name)).toContain("lastUsedAt");
  expect(fields.map(({ name }: { name: string }) => name).join(" ")).not.toMatch(/digest|secret|sealed/i);
});
