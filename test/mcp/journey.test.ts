/** What an agent does with an address and a key alone, over a real worker and a real HTTPS receiver. (docs/mcp.md) */
import { Webhook } from "standardwebhooks";
import { makeKey, makeOrganisation } from "../support/database.ts";
import { connectAgent } from "../support/mcp.ts";
import { ownOfficeOfFile, status } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const office = ownOfficeOfFile();

test("An agent makes a bot and an endpoint, starts a run and reads its verified delivery in at most 12 calls", async () => {
  const organisation = await makeOrganisation(office.db);
  const key = await makeKey(office.db, organisation.id, organisation.ownerId, "admin");
  const agent = await connectAgent(office.api.url, key.text);
  const hook = office.hook();

  const names = async (query: string) =>
    (await agent.use("search_operations", { query })).operations.map(({ name }: { name: string }) => name);
  expect(await names("create bot")).toContain("create_bot");
  expect(await names("webhook endpoint deliveries")).toEqual(
    expect.arrayContaining(["create_webhook", "list_deliveries"]),
  );
  expect(await agent.use("describe_operation", { name: "create_webhook" })).toMatchObject({
    name: "create_webhook",
    inputSchema: { required: ["url", "events"], properties: { events: { type: "array" } } },
  });
  const bot = await agent.call("create_bot", { name: "Harbour guide" });
  expect(bot).toMatchObject({ status: 201, idempotencyKey: expect.any(String), body: { name: "Harbour guide" } });
  const endpoint = await agent.call("create_webhook", { url: hook.url, events: ["run.finished"] });
  const run = await agent.call("start_run", { botId: bot.body.id, message: "When do you open?", untrusted: true });
  expect(run).toMatchObject({ status: 202, body: { state: "queued", taint: true } });
  const ended = await agent.call("get_run", { id: run.body.id, wait: 20 });
  expect(ended.body).toMatchObject({ state: "completed", taint: true });
  await eventually(async () => hook.posts().length > 0);
  const [post] = hook.posts();
  const deliveries = await agent.call("list_deliveries", { id: endpoint.body.id, limit: 1 });
  const delivery = await agent.call("get_delivery", { id: deliveries.body.data[0].id });
  expect(agent.calls()).toBeLessThanOrEqual(12);

  const verified = new Webhook(endpoint.body.secret).verify(post?.body ?? "", post?.headers as Record<string, string>);
  expect(verified).toEqual(delivery.body.payload);
  expect(verified).toMatchObject({ event: "run.finished", data: { runId: run.body.id, taint: true } });
});

test("An agent that knows only the tools does five tasks with operations among the first three results", async () => {
  const organisation = await makeOrganisation(office.db);
  const key = await makeKey(office.db, organisation.id, organisation.ownerId, "admin");
  const agent = await connectAgent(office.api.url, key.text);
  const perform = async (query: string, name: string, given?: Record<string, unknown>) => {
    const { operations } = await agent.use("search_operations", { query });
    expect([query, operations.slice(0, 3).map((each: { name: string }) => each.name)]).toEqual([
      query,
      expect.arrayContaining([name]),
    ]);
    return agent.call(name, given);
  };

  const invitation = await perform("invite a colleague", "create_invitation", { email: "nora@harbour.example" });
  expect(invitation).toMatchObject({ status: 201, body: { email: "nora@harbour.example", role: "member" } });

  const bot = await perform("set up a bot", "create_bot", { name: "Harbour guide" });
  const routine = await perform("send the bot a message every weekday at 8", "create_routine", {
    ...{ botId: bot.body.id, name: "Morning", message: "What is new?" },
    ...{ schedule: "0 8 * * MON-FRI", timeZone: "Europe/Berlin" },
  });
  expect(routine.body.nextFiringAt).toMatch(/T0[67]:00:00/);

  const run = await perform("ask the bot a question", "start_run", {
    botId: bot.body.id,
    message: "When do you open?",
  });
  expect((await perform("is the answer ready", "get_run", { id: run.body.id, wait: 20 })).body.state).toBe("completed");
  const messages = await perform("read the answer of the bot", "list_run_messages", { id: run.body.id });
  expect(messages.body.data).toMatchObject([{ author: "bot" }, { author: "person", text: "When do you open?" }]);

  const { url } = office.hook(status(500));
  const endpoint = await perform("create an endpoint", "create_webhook", { url, events: ["run.finished"] });
  await perform("send a test event", "test_webhook", { id: endpoint.body.id });
  const list = () => perform("why did a delivery fail", "list_deliveries", { id: endpoint.body.id });
  await eventually(async () => (await list()).body.data[0]?.lastStatusCode === 500);
  const { body: deliveries } = await list();
  const delivery = await perform("attempts of a delivery", "get_delivery", { id: deliveries.data[0].id });
  expect(delivery.body.attemptLog).toMatchObject([{ number: 1, statusCode: 500 }]);

  const created = await perform("create an API key", "create_key", { name: "CI" });
  const rotated = await perform("rotate a key", "rotate_key", { id: created.body.id, overlapHours: 1 });
  expect(rotated).toMatchObject({ status: 201, secrets: [{ path: "body.key" }], body: { name: "CI" } });
  expect(rotated.body.key).not.toBe(created.body.key);
});
