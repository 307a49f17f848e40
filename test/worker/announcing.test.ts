/** Deliveries of run.finished. (docs/specification/events.md#run-finished) */
import { makeKey, makeOrganisation } from "../support/database.ts";
import { type Customer, customer, expectSigned, ownOfficeOfFile } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const office = ownOfficeOfFile();

const ended = (who: Customer, run: string) =>
  eventually(async () => (await who.ask("GET", `/runs/${run}`)).body.finishedAt !== null);

/** Waits until all queued jobs have ended, so that later assertions can check for missing posts. */
const quiet = () =>
  eventually(async () => {
    const [left] = await office.db.sql<{ count: string }>(
      `select (select count(*) from graphile_worker.jobs where task_identifier = 'deliver_to_endpoint')
         + (select count(*) from app.deliveries where state = 'pending') as count`,
    );
    return left?.count === "0";
  });

test("a finished run causes exactly one signed post to each active subscriber", async () => {
  const who = await customer(office);
  const [one, two] = [office.hook(), office.hook()];
  const endpoints = [await who.subscribe(one), await who.subscribe(two, ["approval.needed", "run.finished"])];
  const run = await who.run();
  await eventually(async () => one.posts().length > 0 && two.posts().length > 0);
  await quiet();
  expect([one.posts().length, two.posts().length]).toEqual([1, 1]);
  for (const [index, hook] of [one, two].entries()) {
    const [post] = hook.posts();
    const { id = "", secret = "" } = endpoints[index] ?? {};
    expectSigned(post, secret);
    const delivery = await who.untilDelivery({ id, secret }, "delivered", 1);
    expect(post?.headers).toMatchObject({
      "content-type": "application/json",
      "x-botstead-delivery": delivery.id,
      "x-botstead-event": "run.finished",
    });
    expect(delivery.payload).toEqual(JSON.parse(post?.body ?? ""));
    expect(delivery.payload.data.runId).toBe(run);
  }
});

test("the body has the documented fields, but no text of the conversation and no name", async () => {
  const who = await customer(office);
  const hook = office.hook();
  const endpoint = await who.subscribe(hook);
  await who.ask("POST", "/memories", {
    scope: "organisation",
    kind: "place",
    subject: "Zanzibar",
    value: "Cloves come from Zanzibar.",
  });
  const id = await who.run("Tell me of Zanzibar");
  const delivery = await who.untilDelivery(endpoint, "delivered");
  const run = (await who.ask("GET", `/runs/${id}`)).body;
  const body = hook.posts()[0]?.body ?? "";
  expect(JSON.parse(body)).toEqual({
    id: delivery.id,
    event: "run.finished",
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    organisationId: who.organisation.id,
    data: {
      runId: id,
      botId: who.bot,
      conversationId: run.conversationId,
      routineId: null,
      state: "completed",
      trigger: "api",
      steps: run.steps,
      spendMicroCents: 0,
      taint: false,
      finishedAt: run.finishedAt,
    },
  });
  const [answer] = (await who.ask("GET", `/runs/${id}/messages`)).body.data;
  expect(answer.text).toContain("Cloves"); // the conversation has text that could leak
  for (const word of ["Zanzibar", "Cloves", "Ada", "Lovelace", "Olga", who.organisation.email]) {
    expect(body).not.toContain(word);
  }
});

test("a cancelled run is announced once, also if it is cancelled twice", async () => {
  const who = await customer(office);
  const hook = office.hook();
  const endpoint = await who.subscribe(hook);
  // Not leased, because it is behind a run that waits for a person.
  const first = await who.run();
  await ended(who, first);
  const conversation = (await who.ask("GET", `/runs/${first}`)).body.conversationId;
  const [waiting] = await office.db.sql<{ id: string }>(
    `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, state)
     values ($1, $2, $3, $4, 'message', 'waiting_approval') returning id`,
    [who.organisation.id, who.bot, conversation, who.organisation.ownerId],
  );
  const run = await who.run();
  const cancelled = await who.ask("POST", `/runs/${run}/cancel`);
  expect(cancelled.body.state).toBe("cancelled");
  const again = await who.ask("POST", `/runs/${run}/cancel`);
  expect(again.status).toBe(200);
  expect(again.body).toEqual(cancelled.body);
  await who.untilDelivery(endpoint, "delivered");
  await quiet();
  const states = hook.posts().map(({ body }) => JSON.parse(body).data);
  expect(states.map(({ runId, state }) => [runId, state])).toEqual([
    [first, "completed"],
    [run, "cancelled"],
  ]);
  await who.ask("POST", `/runs/${waiting?.id}/cancel`);
});

test("cancelling a completed run leaves it completed and announces nothing", async () => {
  const who = await customer(office);
  const hook = office.hook();
  await who.subscribe(hook);
  const run = await who.run();
  await ended(who, run);
  const before = (await who.ask("GET", `/runs/${run}`)).body;
  const reply = await who.ask("POST", `/runs/${run}/cancel`);
  expect([reply.status, reply.body]).toEqual([200, before]);
  await quiet();
  expect(hook.posts()).toHaveLength(1);
});

test("paused, disabled, deleted and unsubscribed endpoints get no post", async () => {
  const who = await customer(office);
  const hooks = Object.fromEntries(["active", "paused", "disabled", "deleted", "other"].map((n) => [n, office.hook()]));
  const ids: Record<string, string> = {};
  for (const [name, hook] of Object.entries(hooks)) {
    ids[name] = (await who.subscribe(hook, [name === "other" ? "approval.needed" : "run.finished"])).id;
  }
  await who.ask("PATCH", `/webhooks/${ids.paused}`, { state: "paused" });
  await office.db.sql(
    "update app.webhook_endpoints set state = 'disabled', disabled_reason = 'operator', disabled_at = now() where id = $1",
    [ids.disabled],
  );
  await who.ask("DELETE", `/webhooks/${ids.deleted}`);
  await who.run();
  await eventually(async () => hooks.active?.posts().length === 1);
  await quiet();
  const counts = Object.entries(hooks).map(([name, hook]) => [name, hook.posts().length]);
  expect(Object.fromEntries(counts)).toEqual({ active: 1, paused: 0, disabled: 0, deleted: 0, other: 0 });
  const [written] = await office.db.sql<{ count: string }>(
    "select count(*) from app.deliveries where organisation_id = $1",
    [who.organisation.id],
  );
  expect(written?.count).toBe("1"); // none was written to be sent later, either
});

test("another organisation's endpoint gets no post", async () => {
  const [who, other] = [await customer(office), await customer(office)];
  const [ours, theirs] = [office.hook(), office.hook()];
  await who.subscribe(ours);
  const endpoint = await other.subscribe(theirs);
  await who.run();
  await eventually(async () => ours.posts().length === 1);
  await quiet();
  expect(theirs.posts()).toEqual([]);
  await other.run(); // it does get its own organisation's posts
  await other.untilDelivery(endpoint, "delivered");
  expect(theirs.posts()).toHaveLength(1);
  expect(ours.posts()).toHaveLength(1);
});

test("a test delivers webhook.test to the tested endpoint only", async () => {
  const who = await customer(office);
  const [tested, other] = [office.hook(), office.hook()];
  const endpoint = await who.subscribe(tested, ["approval.needed"]); // what it is subscribed to does not matter
  await who.subscribe(other);
  const reply = await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  expect(reply.status).toBe(202);
  expect(reply.body).toMatchObject({ webhookId: endpoint.id, event: "webhook.test", state: "pending", attempts: 0 });
  await who.untilDelivery(endpoint, "delivered", 1);
  await quiet();
  const [post] = tested.posts();
  expectSigned(post, endpoint.secret);
  expect(post?.headers["x-botstead-event"]).toBe("webhook.test");
  expect(JSON.parse(post?.body ?? "")).toEqual({
    id: reply.body.id,
    event: "webhook.test",
    createdAt: expect.any(String),
    organisationId: who.organisation.id,
    data: { webhookId: endpoint.id },
  });
  expect([tested.posts().length, other.posts().length]).toEqual([1, 0]);
});

test("a test of a paused, disabled or deleted endpoint returns a conflict and writes nothing", async () => {
  const who = await customer(office);
  const endpoint = await who.subscribe(office.hook());
  const deliveries = async () =>
    (await office.db.sql("select from app.deliveries where endpoint_id = $1", [endpoint.id])).length;
  const refused = async () => {
    const reply = await who.ask("POST", `/webhooks/${endpoint.id}/test`, undefined, "mayFail");
    expect([reply.status, reply.body.error.code]).toEqual([409, "conflict"]);
    expect(await deliveries()).toBe(1);
  };
  await who.ask("POST", `/webhooks/${endpoint.id}/test`); // while it is active it may be tested
  await who.ask("PATCH", `/webhooks/${endpoint.id}`, { state: "paused" });
  await refused();
  await office.db.sql(
    "update app.webhook_endpoints set state = 'disabled', disabled_reason = 'operator', disabled_at = now() where id = $1",
    [endpoint.id],
  );
  await refused();
  await who.ask("DELETE", `/webhooks/${endpoint.id}`);
  await refused();

  const other = await makeOrganisation(office.db);
  const key = await makeKey(office.db, other.id, other.ownerId);
  const reply = await office.api.call("POST", `/webhooks/${endpoint.id}/test`, { key: key.text });
  expect([reply.status, reply.body.error.code]).toEqual([404, "not_found"]);
});
