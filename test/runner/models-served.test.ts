/** Which models are served: those with a price that the reachable service lists. */
import { urlAs } from "../../src/database/urls.ts";
import { modelEngine } from "../../src/runner/engines/models/engine.ts";
import { startExecutor } from "../../src/runner/executor.ts";
import { apiKey, log, type Prices, priceModel, usual } from "../support/model-fixture.ts";
import { json, type ModelServer, says, startModelServer } from "../support/model-server.ts";
import { customer, openPostOffice, type PostOffice } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

let office: PostOffice;
let server: ModelServer;

beforeEach(async () => {
  office = await openPostOffice({ worker: false });
  server = await startModelServer();
  for (const model of ["small", "large"]) server.scripts.set(model, [says("Hello.")]);
});
afterEach(async () => {
  await server.close();
  await office.close();
});

const price = (model: string, prices?: Prices) => priceModel(office.db, model, prices);

/** The models that an executor announces at its start. */
async function announced(): Promise<string[]> {
  const executor = await startExecutor({
    connectionString: urlAs("runner", office.db.adminUrl, office.db.key),
    engines: [modelEngine({ service: { baseUrl: server.url, apiKey }, log, timeouts: usual })],
    log,
  });
  const [row] = await office.db.sql<{ models: string[] }>("select models from app.executors");
  await executor.stop();
  return row?.models ?? [];
}

test("an executor serves only models that the service lists and that have a price", async () => {
  expect(await announced()).toEqual([]);
  await price("small");
  await price("gone");
  expect(await announced()).toEqual(["small"]);
});

test("a withdrawn model is not served until it has a price again; running runs keep their price", async () => {
  await price("small");
  await office.db.sql("select operator.withdraw_model('small', 'Too dear')");
  expect(await announced()).toEqual([]);
  const [row] = await office.db.sql<{ price: string }>("select runner.price_of('small', 1000000, 0) as price");
  expect(row?.price).toBe("1");
  await price("small");
  expect(await announced()).toEqual(["small"]);
});

test.each([400, 403, 404, 405, 501])(
  "all priced models are served if the service answers %d for its list",
  async (status) => {
    server.list = json(status, { error: { message: "no list" } });
    await price("unlisted");
    expect(await announced()).toEqual(["unlisted"]);
  },
);

test.each<[unknown, string[]]>([
  [{ object: "list", data: null }, ["large", "small"]],
  ["<html></html>", ["large", "small"]],
  [{ object: "list", data: [{ id: "large" }] }, ["large"]],
  [[{ id: "small" }], ["small"]],
])("with the list %j the served models are %j", async (list, served) => {
  server.list = json(200, list);
  for (const model of ["small", "large"]) await price(model);
  expect(await announced()).toEqual(served);
});

test.each<[string, ModelServer["list"]]>([
  ["refuses the key (401)", json(401, { error: { message: "no" } })],
  ["is busy (429)", json(429, { error: { message: "later" } })],
  ["fails (500)", json(500, {})],
  ["hangs up", (response) => response.destroy()],
])("no model is served while the service %s: no run is leased, and start_run returns 503", async (_what, list) => {
  server.list = list;
  await price("small");
  const executor = await startExecutor({
    connectionString: urlAs("runner", office.db.adminUrl, office.db.key),
    engines: [modelEngine({ service: { baseUrl: server.url, apiKey }, log, timeouts: usual })],
    log,
  });
  const who = await customer(office, "small");
  const refused = await who.ask("POST", "/runs", { botId: who.bot, message: "Hello" }, "mayFail");
  expect(refused.status).toBe(503);
  await executor.stop();
});

test("without MODEL_API_KEY no authorization header is sent", async () => {
  await price("small");
  const executor = await startExecutor({
    connectionString: urlAs("runner", office.db.adminUrl, office.db.key),
    engines: [modelEngine({ service: { baseUrl: server.url, apiKey: undefined }, log, timeouts: usual })],
    log,
  });
  const who = await customer(office, "small");
  await who.run("Hello");
  await eventually(async () => server.requests("small").length === 1);
  expect(server.requests("small")[0]?.authorization).toBeUndefined();
  await executor.stop();
});

describe("a step", () => {
  const worth = async (model: string, input: number, output: number) =>
    (await office.db.sql<{ price: string }>("select runner.price_of($1, $2, $3) as price", [model, input, output]))[0]
      ?.price;

  test("costs the latest price to the micro-cent, for any number of tokens", async () => {
    await price("m", { input: 1000000000000, output: 1000000000000 });
    expect(await worth("m", 2_147_483_647, 2_147_483_647)).toBe("4294967294000000");
    await price("m", { input: 3, output: 5 });
    expect(await worth("m", 0, 0)).toBe("0");
    expect(await worth("m", 1, 0)).toBe("1");
    expect(await worth("m", 1_000_000, 1_000_000)).toBe("8");
    expect(await worth("m", 1_000_001, 1_000_000)).toBe("9");
  });

  test("of a model without a price is refused", async () => {
    await expect(worth("unheard of", 1, 1)).rejects.toMatchObject({ code: "22023" });
  });
});

test.each([
  ["recall", 1, 1, "r"],
  ["", 1, 1, "r"],
  ["m".repeat(101), 1, 1, "r"],
  ["m", -1, 1, "r"],
  ["m", 1, 1_000_000_000_001, "r"],
  ["m", 1, 1, ""],
  ["m", 1, 1, "r".repeat(501)],
])("set_model_price refuses %j, %d, %d, %j", async (...price) => {
  await expect(office.db.sql("select operator.set_model_price($1, $2, $3, $4)", price)).rejects.toMatchObject({
    code: "23514",
  });
});
