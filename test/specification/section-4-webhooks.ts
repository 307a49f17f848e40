import { randomUUID } from "node:crypto";
import { countsOf, expectRefused, expectSuccess, manyTimes } from "./client.ts";
import { anEndpoint, anOrganisation, another, deliveryIn } from "./service.ts";
import { specifies } from "./specified.ts";

const hook = { url: "https://receiver.example/", events: ["run.finished"] };

specifies("4-webhooks-url", async () => {
  const ours = await anOrganisation();
  const longest = `https://receiver.example/${"x".repeat(2048 - 25)}`;
  expect(longest).toHaveLength(2048);
  for (const url of [longest, `https://receiver.example/${"😀".repeat(2048 - 25)}`]) {
    expect(expectSuccess(await ours.post("/webhooks", { ...hook, url }), 201).url).toBe(url);
    expectRefused(await ours.post("/webhooks", { ...hook, url: `${url}x` }), 400, "invalid_request", ["body.url"]);
  }
  const refused = [
    "http://receiver.example/",
    "ftp://receiver.example/",
    "https://",
    "receiver.example",
    ...["10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"].map(
      (ip) => `https://${ip}/`,
    ),
    ...["[fe80::1]", "[fc00::1]", "[::ffff:10.0.0.1]"].map((ip) => `https://${ip}/`),
  ];
  for (const url of refused) {
    expectRefused(await ours.post("/webhooks", { ...hook, url }), 400, "invalid_request", ["body.url"]);
    const changed = await ours.patch(`/webhooks/${randomUUID()}`, { url });
    expectRefused(changed, 400, "invalid_request", ["body.url"]);
  }
});

specifies("4-webhooks-description", async () => {
  const ours = await anOrganisation();
  for (const description of ["", "x".repeat(200), "😀".repeat(200), "one\ntwo\n\nfour", null]) {
    expect(expectSuccess(await ours.post("/webhooks", { ...hook, description }), 201).description).toBe(description);
  }
  const refused = await ours.post("/webhooks", { ...hook, description: "x".repeat(201) });
  expectRefused(refused, 400, "invalid_request", ["body.description"]);
});

specifies("4-webhooks-events", async () => {
  const ours = await anOrganisation();
  for (const events of [[], undefined, "run.finished"]) {
    expectRefused(await ours.post("/webhooks", { ...hook, events }), 400, "invalid_request", ["body.events"]);
  }
  for (const events of [["run.done"], ["webhook.test"]]) {
    expectRefused(await ours.post("/webhooks", { ...hook, events }), 400, "invalid_request", ["body.events.0"]);
  }
});

specifies("4-webhooks-patch", async () => {
  const ours = await anOrganisation();
  const { id } = expectSuccess(await ours.post("/webhooks", hook), 201);
  const changes = { url: "https://other.example/", description: "Other", events: ["approval.needed"], state: "paused" };
  expect(expectSuccess(await ours.patch(`/webhooks/${id}`, changes))).toMatchObject({ id, ...changes });
  expect(expectSuccess(await ours.patch(`/webhooks/${id}`, { description: null })).description).toBeNull();
  for (const body of [{ state: "disabled" }, {}]) {
    expectRefused(await ours.patch(`/webhooks/${id}`, body), 400, "invalid_request");
  }
});

specifies("4-webhooks-test", async () => {
  const ours = await anOrganisation();
  const { row } = await anEndpoint(ours, ["run.finished"]);
  const path = `/webhooks/${row.id}`;
  const test = () => ours.post(`${path}/test`);
  await deliveryIn(ours, expectSuccess(await test(), 202).id, "delivered");
  expectSuccess(await ours.patch(path, { state: "paused" }));
  expectRefused(await test(), 409, "conflict");
  expect(expectSuccess(await ours.get(`${path}/deliveries`)).data).toHaveLength(1);
  expect(expectSuccess(await ours.delete(path))).toEqual({ id: row.id, deleted: true });
  expectRefused(await test(), 409, "conflict");
  expectRefused(await ours.post(`/webhooks/${randomUUID()}/test`), 404, "not_found");
});

specifies("4-webhooks-deleted", async () => {
  const [ours, theirs] = [await anOrganisation(), await anOrganisation()];
  const { id } = expectSuccess(await ours.post("/webhooks", hook), 201);
  expectSuccess(await ours.delete(`/webhooks/${id}`));
  for (const answer of [
    await ours.get(`/webhooks/${id}`),
    await ours.patch(`/webhooks/${id}`, { description: "x" }),
    await ours.delete(`/webhooks/${id}`),
    await ours.post(`/webhooks/${id}/rotate`),
    await ours.get(`/webhooks/${id}/deliveries`),
  ]) {
    expectRefused(answer, 404, "not_found");
  }
  expectRefused(await ours.post(`/webhooks/${id}/test`), 409, "conflict");
  expectRefused(await theirs.post(`/webhooks/${id}/test`), 404, "not_found");
  expect(expectSuccess(await ours.get("/webhooks")).data).toEqual([]);
});

specifies("4-webhooks-foreign", async () => {
  const [ours, theirs] = [await anOrganisation(), await anOrganisation()];
  const { row } = await anEndpoint(theirs, ["run.finished"]);
  const { id } = expectSuccess(await theirs.post(`/webhooks/${row.id}/test`), 202);
  for (const path of [`/webhooks/${row.id}`, `/webhooks/${row.id}/deliveries`, `/deliveries/${id}`]) {
    expectRefused(await ours.get(path), 404, "not_found");
  }
  expectRefused(await ours.post(`/deliveries/${id}/redeliver`), 404, "not_found");
  expectSuccess(await theirs.get(`/deliveries/${id}`));
});

specifies("4-webhooks-limit", async () => {
  const ours = await anOrganisation();
  const answers = await manyTimes(13, () => ours.post("/webhooks", hook));
  expect(countsOf(answers)).toEqual({ 201: 10, 429: 3 });
  for (const answer of answers.filter(({ status }) => status === 429)) expectRefused(answer, 429, "quota_exceeded");
  const [row] = expectSuccess(await ours.get("/webhooks")).data;
  expectSuccess(await ours.delete(`/webhooks/${row.id}`));
  expectSuccess(await ours.post("/webhooks", hook), 201);
  expectRefused(await ours.post("/webhooks", hook), 429, "quota_exceeded");
});

specifies("4-webhooks-scopes", async () => {
  const ours = await anOrganisation();
  const { id } = expectSuccess(await ours.post("/webhooks", hook), 201);
  for (const scope of ["read", "write"] as const) {
    const other = await another(ours, scope);
    for (const path of ["/webhooks", `/webhooks/${id}`, `/webhooks/${id}/deliveries`]) {
      expectRefused(await other.get(path), 401, "unauthenticated");
    }
    expectRefused(await other.post("/webhooks", hook), 401, "unauthenticated");
  }
});
