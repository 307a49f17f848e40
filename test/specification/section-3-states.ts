import { eventually } from "../support/worker.ts";
import { expectRefused, expectSuccess } from "./client.ts";
import {
  aBot,
  anEndpoint,
  anExecutor,
  anOrganisation,
  asAdministrator,
  deliveryIn,
  handModel,
  mailedLink,
  type Organisation,
  respondAt,
  runIn,
  setBilling,
  setLimit,
} from "./service.ts";
import { specifies } from "./specified.ts";

/** A run of a bot whose model the suite serves by hand. */
async function aHandRun(ours: Organisation, more: object = {}): Promise<{ id: string; botId: string }> {
  await anExecutor();
  const botId = await aBot(ours, { model: handModel });
  const { id, state } = expectSuccess(await ours.post("/runs", { botId, message: "Hello", ...more }), 202);
  expect(state).toBe("queued");
  return { id, botId };
}

const stateOf = async (ours: Organisation, id: string) => expectSuccess(await ours.get(`/runs/${id}`)).state;

specifies("3-run-queued-behind", async () => {
  const ours = await anOrganisation();
  const { id, botId } = await aHandRun(ours);
  const second = expectSuccess(await ours.post("/runs", { botId, message: "Second" }), 202);
  const executor = await anExecutor();
  const first = await executor.lease();
  expect(first?.runId).toBe(id);
  expect(await executor.lease()).toBeNull();
  expect([await stateOf(ours, id), await stateOf(ours, second.id)]).toEqual(["running", "queued"]);
  if (first) await executor.finish(first);
  const next = await executor.lease();
  expect(next?.runId).toBe(second.id);
  if (next) await executor.finish(next);
});

specifies("3-run-waiting-approval", async () => {
  const ours = await anOrganisation();
  const { id } = await aHandRun(ours);
  const executor = await anExecutor();
  const assignment = await executor.lease();
  if (assignment) await executor.ask(assignment);
  expect(await stateOf(ours, id)).toBe("waiting_approval");
  const link = await mailedLink(ours.email);
  expect((await fetch(link, { method: "POST", body: new URLSearchParams({ answer: "approved" }) })).status).toBe(200);
  expect(await stateOf(ours, id)).toBe("queued");
  const again = await executor.lease();
  if (again) await executor.finish(again);
  expect(await stateOf(ours, id)).toBe("completed");
});

specifies("3-run-blocked", async () => {
  const ours = await anOrganisation();
  const { id } = await aHandRun(ours);
  const executor = await anExecutor();
  const assignment = await executor.lease();
  if (assignment) await executor.block(assignment);
  expect(await stateOf(ours, id)).toBe("blocked");
  expect(expectSuccess(await ours.post(`/runs/${id}/cancel`)).state).toBe("cancelled");
});

specifies("3-run-paused-limit", async () => {
  const ours = await anOrganisation();
  await setLimit(ours, "monthlySpendMicroCents", 0);
  const botId = await aBot(ours);
  const { id } = expectSuccess(await ours.post("/runs", { botId, message: "Hello" }), 202);
  await runIn(ours, id, "paused_limit");
  await setLimit(ours, "monthlySpendMicroCents", 1_000_000_000);
  await runIn(ours, id, "completed");
});

specifies("3-cancel-finished", async () => {
  const ours = await anOrganisation();
  const { received, waitFor } = await anEndpoint(ours, ["run.finished"]);
  const ended = expectSuccess(await ours.post("/runs", { botId: await aBot(ours), message: "Hello" }), 202);
  await runIn(ours, ended.id, "completed");
  await waitFor(1);
  const before = expectSuccess(await ours.get(`/runs/${ended.id}`));
  expect(expectSuccess(await ours.post(`/runs/${ended.id}/cancel`))).toEqual(before);
  const { id } = await aHandRun(ours);
  for (const _ of [1, 2]) expect(expectSuccess(await ours.post(`/runs/${id}/cancel`)).state).toBe("cancelled");
  await waitFor(2); // a later event has arrived, so an event of the ended run would have too
  expect(received().map(({ body }) => [JSON.parse(body).data.runId, JSON.parse(body).data.state])).toEqual([
    [ended.id, "completed"],
    [id, "cancelled"],
  ]);
});

specifies("3-run-finished-each-end", async () => {
  const ours = await anOrganisation();
  const [first, second] = [await anEndpoint(ours, ["run.finished"]), await anEndpoint(ours, ["run.finished"])];
  const other = await anEndpoint(ours, ["approval.needed"]);
  const executor = await anExecutor();
  const states: string[] = [];
  for (const end of ["completed", "failed", "cancelled"]) {
    const { id } = await aHandRun(ours);
    if (end === "cancelled") await ours.post(`/runs/${id}/cancel`);
    else {
      const assignment = await executor.lease();
      if (assignment) await (end === "failed" ? executor.fail(assignment) : executor.finish(assignment));
    }
    states.push(await stateOf(ours, id));
  }
  expect(states).toEqual(["completed", "failed", "cancelled"]);
  for (const { waitFor } of [first, second]) {
    expect((await waitFor(3)).map(({ body }) => JSON.parse(body).data.state).sort()).toEqual([...states].sort());
  }
  expect(other.received()).toEqual([]);
});

specifies("3-credit-before-row", async () => {
  const ours = await anOrganisation();
  const botId = await aBot(ours);
  await setBilling(ours, "none");
  expectRefused(await ours.post("/runs", { botId, message: "Hello" }), 402, "payment_required");
  expect(expectSuccess(await ours.get("/runs")).data).toEqual([]);
});

specifies("3-webhook-disabled", async () => {
  const ours = await anOrganisation();
  const { row, path } = await anEndpoint(ours, ["run.finished"], (_request, response) => response.writeHead(500).end());
  const failures = async () => expectSuccess(await ours.get(`/webhooks/${row.id}`));
  await asAdministrator("update app.service_settings set delivery_max_attempts = 1");
  try {
    for (let number = 1; number <= 9; number += 1) {
      const { id } = expectSuccess(await ours.post(`/webhooks/${row.id}/test`), 202);
      await deliveryIn(ours, id, "failed");
    }
    expect(await failures()).toMatchObject({ state: "active", consecutiveFailures: 9, disabledReason: null });
    await deliveryIn(ours, expectSuccess(await ours.post(`/webhooks/${row.id}/test`), 202).id, "failed");
  } finally {
    await asAdministrator("update app.service_settings set delivery_max_attempts = 5");
  }
  await eventually(async () => (await failures()).state === "disabled");
  expect(await failures()).toMatchObject({ consecutiveFailures: 10, disabledReason: "consecutive_failures" });
  expectRefused(await ours.post(`/webhooks/${row.id}/test`), 409, "conflict");
  expectRefused(await ours.patch(`/webhooks/${row.id}`, { state: "paused" }), 409, "conflict");
  respondAt(path, (_request, response) => response.writeHead(200).end());
  const resumed = expectSuccess(await ours.patch(`/webhooks/${row.id}`, { state: "active" }));
  expect(resumed).toMatchObject({ state: "active", consecutiveFailures: 0, disabledReason: null, disabledAt: null });
});

specifies("3-key-live", async () => {
  const ours = await anOrganisation();
  const { id, key } = expectSuccess(await ours.post("/keys", { name: "Once" }), 201);
  const revoked = expectSuccess(await ours.delete(`/keys/${id}`));
  expect(revoked).toMatchObject({ id, revokedAt: expect.any(String) });
  expect(revoked).not.toHaveProperty("key", key);
  expect(expectSuccess(await ours.delete(`/keys/${id}`)).revokedAt).toBe(revoked.revokedAt);
});

specifies("3-redeliver-only-failed", async () => {
  const ours = await anOrganisation();
  const { row, path, waitFor } = await anEndpoint(ours, ["run.finished"], (_request, response) =>
    response.writeHead(410).end(),
  );
  await asAdministrator("update app.service_settings set delivery_max_attempts = 1");
  const { id } = expectSuccess(await ours.post(`/webhooks/${row.id}/test`), 202);
  try {
    await deliveryIn(ours, id, "failed");
  } finally {
    await asAdministrator("update app.service_settings set delivery_max_attempts = 5");
  }
  respondAt(path, (_request, response) => response.writeHead(200).end());
  expect(expectSuccess(await ours.post(`/deliveries/${id}/redeliver`), 202)).toMatchObject({ id, state: "pending" });
  const posts = await waitFor(2);
  expect(posts.map(({ body }) => JSON.parse(body).id)).toEqual([id, id]);
  await deliveryIn(ours, id, "delivered");
  expectRefused(await ours.post(`/deliveries/${id}/redeliver`), 409, "conflict");
});
