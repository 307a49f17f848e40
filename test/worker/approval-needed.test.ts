/** What a card that is raised announces, and to whom. (Part 6; decisions: "Events' data".) */
import { ApprovalNeededEvent } from "../../src/contract/events.ts";
import { untilReadable } from "../support/events.ts";
import { claimed, workplace } from "../support/hand-executor.ts";
import { expectSigned, openPostOffice, type PostOffice } from "../support/post-office.ts";
import { moveClock } from "../support/worker.ts";

let office: PostOffice;

beforeAll(async () => {
  office = await openPostOffice();
});
afterAll(() => office.close());

test("a card ends in one signed post at each subscriber, with ids and state and none of its words", async () => {
  const at = await workplace(office, office.db.poolAs("runner"));
  const [told, other] = [office.hook(), office.hook()];
  const endpoint = await at.who.subscribe(told, ["approval.needed"]);
  await at.who.subscribe(other, ["run.finished"]);
  await at.who.run("Tell me of Zanzibar");
  const run = await claimed(at.executor);
  const card = await at.executor.ask(run, "May I go to Zanzibar?", "Cloves come from Zanzibar.");
  const delivery = await at.who.untilDelivery(endpoint, "delivered", 1);
  const [post, ...more] = told.posts();
  expect([more, other.posts()]).toEqual([[], []]);
  expectSigned(post, endpoint.secret);
  const body = ApprovalNeededEvent.strict().parse(JSON.parse(post?.body ?? ""));
  expect(body).toEqual(delivery.payload);
  const { createdAt, expiresAt } = (await at.who.ask("GET", `/approvals/${card}`)).body;
  expect(body.data).toEqual({
    approvalId: card,
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
  // It is among the events that are read, too: for scripts that were down.
  await untilReadable(office.db, { organisationId: at.who.organisation.id });
  const { data } = (await at.who.ask("GET", "/events")).body;
  expect(data.map(({ event }: { event: string }) => event)).toContain("approval.needed");
});

test("what is told is the state when it was raised, whenever it is sent", async () => {
  const at = await workplace(office, office.db.poolAs("runner"));
  const hook = office.hook((_request, response) => void response.writeHead(500).end());
  const endpoint = await at.who.subscribe(hook, ["approval.needed"]);
  await at.who.run();
  const run = await claimed(at.executor);
  const card = await at.executor.ask(run);
  await at.who.untilDelivery(endpoint, "pending", 1);
  await at.who.ask("POST", `/runs/${run.runId}/cancel`);
  expect((await at.who.ask("GET", `/approvals/${card}`)).body.state).toBe("withdrawn");
  await moveClock(office.db, "2 minutes");
  const again = await at.who.untilDelivery(endpoint, "pending", 2);
  expect(again.payload.data.state).toBe("pending");
  expect(hook.posts().map(({ body }) => JSON.parse(body).data.state)).toEqual(["pending", "pending"]);
});
