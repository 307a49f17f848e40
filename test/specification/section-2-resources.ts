import { expectRefused, expectSuccess, timestamp, uuid } from "./client.ts";
import { aBot, anEndpoint, anOrganisation, deliveryIn, runIn } from "./service.ts";
import { specifies } from "./specified.ts";

specifies("2-key", async () => {
  const ours = await anOrganisation();
  const { key, ...made } = expectSuccess(await ours.post("/keys", { name: "Deploy" }), 201);
  expect(key).toMatch(/^bsk_[0-9A-Za-z]{49}$/);
  expect(made).toMatchObject({
    id: uuid,
    name: "Deploy",
    prefix: key.slice(0, 12),
    scope: "read",
    createdBy: ours.ownerId,
    createdAt: timestamp,
    expiresAt: timestamp,
    lastUsedAt: null,
    revokedAt: null,
  });
  const read = expectSuccess(await ours.get(`/keys/${made.id}`));
  const listed = expectSuccess(await ours.get("/keys"));
  expect(read).toEqual(made);
  expect(listed.data[0]).toEqual(made);
  expect(JSON.stringify([read, listed])).not.toContain(key);
});

specifies("2-memory", async () => {
  const ours = await anOrganisation();
  const given = { scope: "organisation", kind: "fact", subject: "Harbour", value: "Closes at nine" };
  const made = expectSuccess(await ours.post("/memories", given), 201);
  expect(made).toMatchObject({
    ...given,
    id: uuid,
    botId: null,
    subjectKind: "organisation",
    confidence: 1,
    validTo: null,
    provenance: "member",
    createdAt: timestamp,
    lawfulBasis: "legitimate_interests",
  });
  expect(made).not.toHaveProperty("source");
  expect(expectSuccess(await ours.get(`/memories/${made.id}`))).toEqual(made);
});

specifies("2-memory-recalled", async () => {
  const ours = await anOrganisation();
  const memory = { scope: "organisation", kind: "fact", subject: "Harbour", value: "Closes at nine" };
  const { id } = expectSuccess(await ours.post("/memories", memory), 201);
  const message = "When does the harbour close?";
  const run = expectSuccess(await ours.post("/runs", { botId: await aBot(ours), message }), 202);
  await runIn(ours, run.id, "completed");
  const said = expectSuccess(await ours.get(`/runs/${run.id}/messages`)).data;
  expect(said).toContainEqual(expect.objectContaining({ author: "bot", memoryIds: [id] }));
});

specifies("2-run", async () => {
  const ours = await anOrganisation();
  const botId = await aBot(ours);
  const started = expectSuccess(await ours.post("/runs", { botId, message: "Hello" }), 202);
  expect(started).toMatchObject({
    id: uuid,
    botId,
    conversationId: uuid,
    routineId: null,
    trigger: "api",
    taint: false,
    steps: expect.any(Number),
    spendMicroCents: expect.any(Number),
    error: null,
    createdAt: timestamp,
  });
  const ended = await runIn(ours, started.id, "completed");
  expect(ended).toMatchObject({ id: started.id, state: "completed", finishedAt: timestamp });
  expect(Number.isInteger(ended.steps) && Number.isInteger(ended.spendMicroCents)).toBe(true);
});

specifies("2-taint", async () => {
  const ours = await anOrganisation();
  const botId = await aBot(ours);
  for (const untrusted of [true, false]) {
    const run = expectSuccess(await ours.post("/runs", { botId, message: "Hello", untrusted }), 202);
    expect([untrusted, run.taint]).toEqual([untrusted, untrusted]);
  }
  for (const untrusted of ["true", 1, null]) {
    const refused = await ours.post("/runs", { botId, message: "Hello", untrusted });
    expectRefused(refused, 400, "invalid_request", ["body.untrusted"]);
  }
});

specifies("2-webhook", async () => {
  const ours = await anOrganisation();
  const { row } = await anEndpoint(ours, ["run.finished", "approval.needed"]);
  const { secret, ...made } = row;
  expect(made).toMatchObject({
    id: uuid,
    url: expect.stringMatching(/^https:/),
    description: null,
    events: ["run.finished", "approval.needed"],
    state: "active",
    consecutiveFailures: 0,
    disabledReason: null,
    disabledAt: null,
    createdAt: timestamp,
    lastDeliveryAt: null,
  });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const read = expectSuccess(await ours.get(`/webhooks/${made.id}`));
  expect(read).toEqual(made);
  expect(JSON.stringify(expectSuccess(await ours.get("/webhooks")))).not.toContain(secret);
});

specifies("2-delivery", async () => {
  const ours = await anOrganisation();
  const { row, waitFor } = await anEndpoint(ours, ["run.finished"]);
  const { id } = expectSuccess(await ours.post(`/webhooks/${row.id}/test`), 202);
  await waitFor(1);
  const delivery = await deliveryIn(ours, id, "delivered");
  const { attemptLog, payload, ...listed } = delivery;
  expect(listed).toMatchObject({
    id: uuid,
    webhookId: row.id,
    event: "webhook.test",
    state: "delivered",
    attempts: 1,
    maxAttempts: 5,
    lastStatusCode: 200,
    lastFailure: null,
    createdAt: timestamp,
    lastAttemptAt: timestamp,
    nextAttemptAt: null,
    deliveredAt: timestamp,
  });
  expect(expectSuccess(await ours.get(`/webhooks/${row.id}/deliveries`)).data).toEqual([listed]);
  expect(attemptLog).toMatchObject([
    {
      number: 1,
      trigger: "scheduled",
      startedAt: timestamp,
      durationMs: expect.any(Number),
      statusCode: 200,
      failure: null,
    },
  ]);
  expect(payload).toMatchObject({ id, event: "webhook.test" });
});

specifies("2-member", async () => {
  const ours = await anOrganisation();
  const [owner] = expectSuccess(await ours.get("/members")).data;
  expect(owner).toMatchObject({
    userId: ours.ownerId,
    email: ours.email,
    displayName: null,
    role: "owner",
    createdAt: timestamp,
  });
  expect(expectSuccess(await ours.get(`/members/${ours.ownerId}`))).toEqual(owner);
});

specifies("2-invitation", async () => {
  const ours = await anOrganisation();
  const made = expectSuccess(await ours.post("/invitations", { email: "new@example.test" }), 201);
  expect(made).toEqual({
    id: uuid,
    email: "new@example.test",
    role: "member",
    invitedBy: ours.ownerId,
    createdAt: timestamp,
    expiresAt: timestamp,
    acceptedAt: null,
    revokedAt: null,
  });
  expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBeCloseTo(7 * 86_400_000, -4);
  expect(expectSuccess(await ours.get("/invitations")).data).toEqual([made]);
});
