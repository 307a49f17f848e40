/** The command model-price (docs/models.md). */
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { commandOn, killPrograms } from "../support/program.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(async () => {
  await killPrograms();
  await db.drop();
});

const prices = (...args: string[]) => commandOn(db, ["model-price", ...args]);
const set = (model: string, input: string, output: string, reason: string) =>
  prices("set", model, "--input", input, "--output", output, "--reason", reason);

test("model-price stores prices to the micro-cent, lists them with their reason, and withdraws models", async () => {
  const served = "The model small is served at this price.\n";
  expect(await set("small", "0.25", "2", "The list")).toMatchObject({ code: 0, stdout: served, stderr: "" });
  await set("small", "0.00000001", "9999.12345678", "A better list");
  await set("large", "0", "10.5", "The list");
  const rows = await db.sql(
    "select model, input_micro_cents as input, output_micro_cents as output from app.model_prices order by id",
  );
  expect(rows).toEqual([
    { model: "small", input: "25000000", output: "200000000" },
    { model: "small", input: "1", output: "999912345678" },
    { model: "large", input: "0", output: "1050000000" },
  ]);

  const none = { code: 1, stdout: "", stderr: "No model of that name is served.\n" };
  expect(await prices("withdraw", "tiny", "--reason", "r")).toMatchObject(none);
  const withdrawn = await prices("withdraw", "large", "--reason", "Too dear", "--json");
  expect([withdrawn.code, JSON.parse(withdrawn.stdout)]).toEqual([0, { model: "large", state: "withdrawn" }]);
  expect(await prices("withdraw", "large", "--reason", "r")).toMatchObject(none);

  const day = new Date().toISOString().slice(0, 10);
  const listed = `large\t0.00\t10.50\twithdrawn ${day}\tToo dear\nsmall\t0.00000001\t9999.12345678\tsince ${day}\tA better list\n`;
  expect(await prices("list")).toMatchObject({ code: 0, stdout: listed, stderr: "" });
  expect(JSON.parse((await prices("list", "--json")).stdout)).toMatchObject([
    { model: "large", input_micro_cents: "0", output_micro_cents: "1050000000", served: false, reason: "Too dear" },
    { model: "small", input_micro_cents: "1", output_micro_cents: "999912345678", served: true, current: true },
  ]);
  expect((await prices("list", "--all")).stdout.split("\n")).toHaveLength(5);
  const log = "select action, arguments ->> 'model' as model, reason from operator.actions order by id";
  expect(await db.sql(log)).toEqual([
    { action: "set_model_price", model: "small", reason: "The list" },
    { action: "set_model_price", model: "small", reason: "A better list" },
    { action: "set_model_price", model: "large", reason: "The list" },
    { action: "withdraw_model", model: "large", reason: "Too dear" },
  ]);
});
