/** What an agent does with an address and a key alone, over a real worker and a real HTTPS receiver. (docs/mcp.md) */
import { Webhook } from "standardwebhooks";
import { makeKey, makeOrganisation } from "../support/database.ts";
import { connectAgent } from "../support/mcp.ts";
import { officeOfFile } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const office = officeOfFile();

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
