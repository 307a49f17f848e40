/** Runs over HTTP, up to the answer. (Part 4, "Runs".) */
import { type TestApi, testApi } from "../support/api.ts";
import { makeExecutor, makeKey, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  db = await testDatabase();
  api = await testApi(db);
  await makeExecutor(db);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

test("a run is accepted with its row, queued, and can be read where Location says", async () => {
  const organisation = await makeOrganisation(db);
  const key = await makeKey(db, organisation.id, organisation.ownerId, "write");
  const bot = await api.call("POST", "/bots", { key: key.text, body: { name: "Ada" } });
  const run = await api.call("POST", "/runs", { key: key.text, body: { botId: bot.body.id, message: "Hello?" } });
  expect(run.status).toBe(202);
  expect(run.body).toMatchObject({ botId: bot.body.id, state: "queued", trigger: "api", taint: false, error: null });
  const read = await api.call("GET", `/runs/${run.body.id}`, { key: key.text });
  expect(read.body).toEqual(run.body);
});
