/** Deliveries of approval.needed. (docs/specification/events.md#kinds) */
import { approvalNeeded } from "../../src/contract/events.ts";
import { leased, workplace } from "../support/hand-executor.ts";
import { expectSigned, ownOfficeOfFile } from "../support/post-office.ts";
import { moveClock } from "../support/worker.ts";

const office = ownOfficeOfFile();

test("a new approval causes one signed post to each subscriber, with ids and state but no text", async () => {
  const at = await workplace(office, office.db.poolAs("runner"));
  const [subscribed, other] = [office.hook(), office.hook()];
  const endpoint = await at.who.subscribe(subscribed, ["approval.needed"]);
  await at.who.subscribe(other, ["run.finished"]);
  await at.who.run("Tell me of Zanzibar");
  const run = await leased(at.executor);
  const approvalId = await at.executor.ask(run, "May I go to Zanzibar?", "Cloves come from Zanzibar.");
  const delivery = await at.who.untilDelivery(endpoint, "delivered", 1);
  const [post, ...more] = subscribed.posts();
  expect([more, other.posts()]).toEqual([[], []]);
  expectSigned(post, endpoint.secret);
  const body = approvalNeeded.body.strict().parse(JSON.parse(post?.body ?? ""));
  expect(body).toEqual(delivery.payload);
  const { createdAt, expiresAt } = (await at.who.ask("GET", `/approvals/${approvalId}`)).body;
  expect(body.data).toEqual({
    approvalId,
    runId: run.runId,
    botId: at.who.bot,
    conversationId: run.conversationId,
    kind: "question",
    state: "pending",
    createdAt,
    expiresAt,
  });
  expect(post?.headers["x-botstead-event"]).toBe("approval.needed");
  expect(post?.body).not.toContain("Zanzibar");
  // GET /events returns it too.
  const { data } = (await at.who.ask("GET", "/events")).body;
  expect(data.map(({ event }: { event: string }) => event)).toContain("approval.needed");
});

test("a late delivery has the state at the time of the event", async () => {
  const at = await workplace(office, office.db.poolAs("runner"));
  const hook = office.hook((_request, response) => void response.writeHead(500).end());
  const endpoint = await at.who.subscribe(hook, ["approval.needed"]);
  await at.who.run();
  const run = await leased(at.executor);
  const approvalId = await at.executor.ask(run);
  await at.who.untilDelivery(endpoint, "pending", 1);
  await at.who.ask("POST", `/runs/${run.runId}/cancel`);
  expect((await at.who.ask("GET", `/approvals/${approvalId}`)).body.state).toBe("withdrawn");
  await moveClock(office.db, "2 minutes");
  const again = await at.who.untilDelivery(endpoint, "pending", 2);
  expect(again.payload.data.state).toBe("pending");
  expect(hook.posts().map(({ body }) => JSON.parse(body).data.state)).toEqual(["pending", "pending"]);
});
