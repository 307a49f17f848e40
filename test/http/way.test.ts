/** docs/architecture.md lists the files on the way of a request. They are the files whose functions run. */
import { ownApiOfFile } from "../support/callers.ts";
import { countFunctions, definitionsOf, listed, sourcesOf } from "../support/way.ts";

const here = ownApiOfFile();
const heading = "The way of a request";

const filesOf = async (work: () => Promise<unknown>) =>
  [...(await sourcesOf(work)), ...(await definitionsOf(here.db, work))].sort();

beforeAll(async () => void (await countFunctions(here.db)));

test("a GET passes the files that the page lists, and no other", async () => {
  const ada = await here.owner("admin");
  const memory = { scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" };
  const { id } = (await ada.post("/memories", memory)).body;
  const files = await filesOf(async () => expect((await ada.get(`/memories/${id}`)).status).toBe(200));
  expect(files).toEqual(listed(heading, 2, 3));
});

test("a POST of a run passes the files that the page lists, and no other", async () => {
  const ada = await here.owner("admin");
  const { body: bot } = await ada.post("/bots", { name: "Pilot", model: "recall" });
  const run = { botId: bot.id, message: "When does the ferry leave?" };
  const files = await filesOf(async () => expect((await ada.post("/runs", run)).status).toBe(202));
  expect(files).toEqual(listed(heading, 2, 4));
});
