import { createHmac } from "node:crypto";
import { expectSuccess, timestamp } from "./client.ts";
import {
  aBot,
  anEndpoint,
  anExecutor,
  anOrganisation,
  deliveryIn,
  handModel,
  type Organisation,
  type Received,
  respondAt,
  runIn,
} from "./service.ts";
import { specifies } from "./specified.ts";

const dataOf = ({ body }: Received) => JSON.parse(body).data;

function expectSigned({ headers, body }: Received, secret: string): void {
  const timestamp = `${headers["x-botstead-timestamp"]}`;
  const expected = createHmac("sha256", secret).update(`v1:${timestamp}:${body}`).digest("hex");
  expect(headers["x-botstead-signature"]).toBe(expected);
  expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(300);
}

const test = async (ours: Organisation, { row }: { row: { id: string } }) =>
  expectSuccess(await ours.post(`/webhooks/${row.id}/test`), 202).id;

specifies("6-body", async () => {
  const ours = await anOrganisation();
  const endpoint = await anEndpoint(ours, ["run.finished"]);
  const id = await test(ours, endpoint);
  const [post] = await endpoint.waitFor(1);
  expect(JSON.parse(post?.body ?? "")).toEqual({
    id,
    event: "webhook.test",
    createdAt: timestamp,
    organisationId: ours.id,
    data: { webhookId: endpoint.row.id },
  });
});

specifies("6-run-finished", async () => {
  const ours = await anOrganisation();
  const endpoint = await anEndpoint(ours, ["run.finished"]);
  const botId = await aBot(ours, { name: "Secret name" });
  const message = "Words of the transcript";
  const { id } = expectSuccess(await ours.post("/runs", { botId, message, untrusted: true }), 202);
  const run = await runIn(ours, id, "completed");
  const [post] = await endpoint.waitFor(1);
  const data = post && dataOf(post);
  const { conversationId, routineId, state, trigger, steps, spendMicroCents, taint, finishedAt } = run;
  expect(data).toEqual({
    runId: id,
    botId,
    ...{ conversationId, routineId, state, trigger, steps, spendMicroCents, taint, finishedAt },
  });
  for (const words of [message, "Secret name", ours.email]) expect(post?.body).not.toContain(words);
});

specifies("6-approval-needed", async () => {
  const ours = await anOrganisation();
  const endpoint = await anEndpoint(ours, ["approval.needed"]);
  const executor = await anExecutor();
  const botId = await aBot(ours, { model: handModel });
  const { id, conversationId } = expectSuccess(await ours.post("/runs", { botId, message: "Hello" }), 202);
  const assignment = await executor.lease();
  const approvalId = assignment && (await executor.ask(assignment, "A secret question"));
  const [post] = await endpoint.waitFor(1);
  expect(post && dataOf(post)).toEqual({
    approvalId,
    runId: id,
    botId,
    conversationId,
    kind: "question",
    state: "pending",
    createdAt: timestamp,
    expiresAt: timestamp,
  });
  expect(post?.body).not.toContain("A secret question");
});

specifies("6-headers", async () => {
  const ours = await anOrganisation();
  const endpoint = await anEndpoint(ours, ["run.finished"]);
  const id = await test(ours, endpoint);
  const [post] = await endpoint.waitFor(1);
  expect(post?.headers).toMatchObject({
    "x-botstead-delivery": id,
    "x-botstead-event": "webhook.test",
    "x-botstead-timestamp": expect.stringMatching(/^\d{10}$/),
    "x-botstead-signature": expect.stringMatching(/^[0-9a-f]{64}$/),
    "content-type": expect.stringMatching(/^application\/json/),
  });
  expect(post?.headers).not.toHaveProperty("authorization");
});

specifies("6-signature", async () => {
  const ours = await anOrganisation();
  const endpoint = await anEndpoint(ours, ["run.finished"]);
  await test(ours, endpoint);
  for (const post of await endpoint.waitFor(1)) expectSigned(post, endpoint.row.secret);
});

specifies("6-rotate", async () => {
  const ours = await anOrganisation();
  const endpoint = await anEndpoint(ours, ["run.finished"]);
  const { secret } = expectSuccess(await ours.post(`/webhooks/${endpoint.row.id}/rotate`));
  expect(secret).toMatch(/^whsec_/);
  expect(secret).not.toBe(endpoint.row.secret);
  await test(ours, endpoint);
  for (const post of await endpoint.waitFor(1)) expectSigned(post, secret);
});

specifies("6-success", async () => {
  const ours = await anOrganisation();
  for (const status of [200, 201, 204, 299]) {
    const endpoint = await anEndpoint(ours, ["run.finished"], (_request, response) => response.writeHead(status).end());
    const delivery = await deliveryIn(ours, await test(ours, endpoint), "delivered");
    expect(delivery).toMatchObject({ lastStatusCode: status, lastFailure: null });
  }
});

/** The delivery after its first attempt. */
async function afterOneAttempt(ours: Organisation, id: string) {
  return deliveryIn(ours, id, "pending", 1);
}

specifies("6-failure", async () => {
  const ours = await anOrganisation();
  for (const status of [400, 404, 500, 503]) {
    const endpoint = await anEndpoint(ours, ["run.finished"], (_request, response) => response.writeHead(status).end());
    const delivery = await afterOneAttempt(ours, await test(ours, endpoint));
    expect(delivery).toMatchObject({ lastStatusCode: status, lastFailure: null, attempts: 1, maxAttempts: 5 });
  }
});

specifies("6-first-retry", async () => {
  const ours = await anOrganisation();
  const endpoint = await anEndpoint(ours, ["run.finished"], (_request, response) => response.writeHead(500).end());
  const { lastAttemptAt, nextAttemptAt } = await afterOneAttempt(ours, await test(ours, endpoint));
  const waitMs = Date.parse(nextAttemptAt) - Date.parse(lastAttemptAt);
  expect(waitMs).toBeGreaterThanOrEqual(60_000);
  expect(waitMs).toBeLessThanOrEqual(76_000); // up to 10 % of jitter, and the length of the attempt
});

specifies("6-redirect", async () => {
  const ours = await anOrganisation();
  const target = await anEndpoint(ours, ["approval.needed"]);
  const endpoint = await anEndpoint(ours, ["run.finished"], (_request, response) =>
    response.writeHead(302, { location: target.path }).end(),
  );
  const delivery = await afterOneAttempt(ours, await test(ours, endpoint));
  expect(delivery).toMatchObject({ lastStatusCode: 302, lastFailure: "redirect" });
  expect([endpoint.received().length, target.received().length]).toEqual([1, 0]);
});

specifies("6-response-size", async () => {
  const ours = await anOrganisation();
  const answering = (bytes: number) =>
    anEndpoint(ours, ["run.finished"], (_request, response) => response.writeHead(200).end("x".repeat(bytes)));
  expect(await deliveryIn(ours, await test(ours, await answering(65_536)), "delivered")).toMatchObject({ attempts: 1 });
  const refused = await afterOneAttempt(ours, await test(ours, await answering(65_537)));
  expect(refused.lastFailure).toBe("size");
});

specifies("6-timeout", async () => {
  const ours = await anOrganisation();
  const endpoint = await anEndpoint(ours, ["run.finished"], () => {});
  const { attemptLog } = await afterOneAttempt(ours, await test(ours, endpoint));
  expect(attemptLog).toMatchObject([{ statusCode: null, failure: "timeout" }]);
  expect(attemptLog[0].durationMs).toBeGreaterThanOrEqual(9_900);
  expect(attemptLog[0].durationMs).toBeLessThan(15_000);
});

specifies("6-transport", async () => {
  const ours = await anOrganisation();
  const endpoint = await anEndpoint(ours, ["run.finished"], (request) => request.socket.destroy());
  const delivery = await afterOneAttempt(ours, await test(ours, endpoint));
  expect(delivery).toMatchObject({ lastStatusCode: null, lastFailure: "transport" });
});

specifies("6-dns", async () => {
  const ours = await anOrganisation();
  const hook = { url: "https://nothing-here.example/", events: ["run.finished"] };
  const row = expectSuccess(await ours.post("/webhooks", hook), 201);
  expect(await afterOneAttempt(ours, await test(ours, { row }))).toMatchObject({ lastFailure: "dns" });
});

specifies("6-active-only", async () => {
  const ours = await anOrganisation();
  const [paused, other] = [await anEndpoint(ours, ["run.finished"]), await anEndpoint(ours, ["run.finished"])];
  expectSuccess(await ours.patch(`/webhooks/${paused.row.id}`, { state: "paused" }));
  const { id } = expectSuccess(await ours.post("/runs", { botId: await aBot(ours), message: "Hello" }), 202);
  await runIn(ours, id, "completed");
  await other.waitFor(1);
  expect(paused.received()).toEqual([]);
});

specifies("6-id-is-replay-key", async () => {
  const ours = await anOrganisation();
  const endpoint = await anEndpoint(ours, ["run.finished"], (_request, response) => response.writeHead(410).end());
  const { id } = expectSuccess(await ours.post("/runs", { botId: await aBot(ours), message: "Hello" }), 202);
  await runIn(ours, id, "completed");
  const [first] = await endpoint.waitFor(1);
  const delivery = await deliveryIn(ours, JSON.parse(first?.body ?? "").id, "failed");
  expect(expectSuccess(await ours.get(`/webhooks/${endpoint.row.id}`))).toMatchObject({ disabledReason: "gone" });
  respondAt(endpoint.path, (_request, response) => response.writeHead(200).end());
  expectSuccess(await ours.patch(`/webhooks/${endpoint.row.id}`, { state: "active" }));
  expectSuccess(await ours.post(`/deliveries/${delivery.id}/redeliver`), 202);
  const [one, two] = await endpoint.waitFor(2);
  expect(two?.body).toBe(one?.body);
  await deliveryIn(ours, delivery.id, "delivered");
});
