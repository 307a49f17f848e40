import { randomUUID } from "node:crypto";
import { anAddress, expectRefused, expectSuccess } from "./client.ts";
import { aBot, anOrganisation, another, call, setBilling } from "./service.ts";
import { specifies } from "./specified.ts";

specifies("7-body", async () => {
  const ours = await anOrganisation();
  const [a, b] = [await ours.get(`/bots/${randomUUID()}`), await ours.get("/memories/nonsense")];
  for (const refused of [a, b]) expectRefused(refused, 404, "not_found");
  expect(a.body.error.message).toBe(b.body.error.message);
  expect(a.body.error.requestId).not.toBe(b.body.error.requestId);
});

specifies("7-details", async () => {
  const ours = await anOrganisation();
  const secret = "Submitted-value-7f3a";
  const body = { scope: secret, kind: "", subject: "x".repeat(201), value: 7, confidence: 2 };
  const refused = await ours.post(`/memories?limit=${secret}`, body);
  const paths = ["body.scope", "body.kind", "body.subject", "body.value", "body.confidence"];
  expectRefused(refused, 400, "invalid_request");
  const found = refused.body.error.details.map(({ path }: { path: string }) => path);
  expect(found.sort()).toEqual(paths.sort());
  expect(refused.text).not.toContain(secret);
  expectRefused(await ours.post("/memories", undefined, { raw: "{" }), 400, "invalid_request");
});

specifies("7-not-found-alike", async () => {
  const [ours, theirs] = [await anOrganisation(), await anOrganisation()];
  const bot = await aBot(theirs);
  const bodies = [];
  for (const id of [bot, randomUUID()]) {
    const refused = await ours.get(`/bots/${id}`);
    expectRefused(refused, 404, "not_found");
    bodies.push(refused.text.replace(refused.headers.get("x-request-id") ?? "?", ""));
  }
  expect(bodies[0]).toBe(bodies[1]);
});

specifies("7-not-supported", async () => {
  const ours = await anOrganisation();
  const routes = [
    ["PUT", "/bots"],
    ["DELETE", "/memories"],
    ["PATCH", "/runs"],
    ["POST", "/me"],
  ] as const;
  for (const [method, path] of routes) {
    const refused = await call(method, path, { key: ours.key });
    expectRefused(refused, 405, "not_supported");
    expect(refused.headers.get("allow")).toMatch(/GET/);
  }
});

specifies("7-unknown-path", async () => {
  const ours = await anOrganisation();
  expectRefused(await ours.get("/nonsense"), 404, "not_found");
  expectRefused(await call("GET", "/nonsense", { from: anAddress() }), 404, "not_found");
});

specifies("7-order", async () => {
  const ours = await anOrganisation();
  const [reader, from] = [await another(ours, "read"), anAddress()];
  const none = { idempotencyKey: null };
  const large = "x".repeat(1_048_577);
  expectRefused(await reader.post("/keys", undefined, { ...none, raw: large, from }), 401, "unauthenticated");
  expectRefused(await call("PUT", "/bots", { key: ours.key, raw: large }), 405, "not_supported");
  expectRefused(await ours.post("/bots", undefined, { ...none, raw: large }), 400, "invalid_request");
  expectRefused(await ours.post("/bots", undefined, { raw: large }), 413, "payload_too_large");
  await setBilling(ours, "none");
  expectRefused(await ours.post("/runs", { botId: randomUUID(), message: "" }), 400, "invalid_request");
  expectRefused(await ours.post("/runs", { botId: randomUUID(), message: "Hello" }), 404, "not_found");
  expectRefused(await ours.post("/runs", { botId: await aBot(ours), message: "Hello" }), 402, "payment_required");
});

specifies("7-success-headers", async () => {
  const ours = await anOrganisation();
  const answers = [await ours.get("/bots"), await ours.post("/bots", { name: "Guide" }), await ours.get("/me")];
  for (const answer of answers) expectSuccess(answer, answer.status);
  expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(3);
});

specifies("7-reason", async () => {
  const ours = await anOrganisation();
  const { email } = expectSuccess(await ours.post("/invitations", { email: "open@example.test" }), 201);
  const answers = {
    invitation_open: await ours.post("/invitations", { email }),
    member_exists: await ours.post("/invitations", { email: ours.email }),
    last_owner: await ours.patch(`/members/${ours.ownerId}`, { role: "member" }),
    own_membership: await ours.delete(`/members/${ours.ownerId}`),
  };
  for (const [reason, { headers }] of Object.entries(answers)) expect(headers.get("x-botstead-reason")).toBe(reason);
});
