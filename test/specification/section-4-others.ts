import type { Json } from "../support/api.ts";
import { expectRefused, expectSuccess, timestamp, uuid } from "./client.ts";
import { anEmail, anOrganisation, another, call, clientOf, platformKey } from "./service.ts";
import { specifies } from "./specified.ts";

specifies("4-platform-operations", async () => {
  const key = platformKey();
  const email = anEmail();
  const body = { name: "Harbour", owner: { email, displayName: "Ada" } };
  const made = expectSuccess(await call("POST", "/platform/organisations", { key, body }), 201);
  expect(made).toMatchObject({ id: uuid, name: "Harbour", kind: "team", owner: { email }, createdAt: timestamp });
  const path = `/platform/organisations/${made.id}`;
  expect(expectSuccess(await call("GET", path, { key }))).toEqual(made);
  const listed = expectSuccess(await call("GET", "/platform/organisations", { key }));
  expect(listed.data[0]).toEqual(made);
  const owner = expectSuccess(await call("POST", `${path}/owner-key`, { key, body: {} }), 201);
  expect(owner).toMatchObject({ scope: "admin", key: expect.stringMatching(/^bsk_/) });
  const me = expectSuccess(await clientOf(owner.key).get("/me"));
  expect(me).toMatchObject({ organisation: { id: made.id }, key: { id: owner.id, createdBy: owner.createdBy } });
});

specifies("4-batch-size", async () => {
  const ours = await anOrganisation();
  const operations = (count: number) => Array.from({ length: count }, () => ({ method: "GET", path: "/bots" }));
  for (const count of [1, 50]) {
    const { results } = expectSuccess(await ours.post("/batch", { operations: operations(count) }));
    expect(results.map(({ status }: Json) => status)).toEqual(Array(count).fill(200));
  }
  for (const count of [0, 51]) {
    const refused = await ours.post("/batch", { operations: operations(count) });
    expectRefused(refused, 400, "invalid_request", ["body.operations"]);
  }
});

specifies("4-batch-operations", async () => {
  const ours = await anOrganisation();
  const writer = await another(ours, "write");
  const operations = [
    { id: "a", method: "POST", path: "/bots", body: { name: "Guide" } },
    { id: "b", method: "post", path: "/bots", body: { name: "" } },
    { id: "c", method: "GET", path: "/keys" },
    { id: "d", method: "GET", path: "/nonsense" },
    { id: "e", method: "GET", path: "/bots", body: null },
  ];
  const { results } = expectSuccess(await writer.post("/batch", { operations }));
  expect(results.map(({ id, status }: Json) => [id, status])).toEqual([
    ["a", 201],
    ["b", 400],
    ["c", 401],
    ["d", 400],
    ["e", 200],
  ]);
  expect(results[4].body.data).toHaveLength(1);
});

specifies("4-batch-atomic", async () => {
  const ours = await anOrganisation();
  const operations = [
    { method: "POST", path: "/bots", body: { name: "Guide" } },
    { method: "POST", path: "/bots", body: { name: "" } },
    { method: "POST", path: "/bots", body: { name: "Third" } },
  ];
  const { results } = expectSuccess(await ours.post("/batch", { atomic: true, operations }));
  expect(results.map(({ status }: Json) => status)).toEqual([409, 400, 409]);
  expect(expectSuccess(await ours.get("/bots")).data).toEqual([]);
});

specifies("4-batch-nested", async () => {
  const ours = await anOrganisation();
  const nested = { method: "POST", path: "/batch", body: { operations: [{ method: "GET", path: "/bots" }] } };
  expectRefused(await ours.post("/batch", { operations: [nested] }), 400, "invalid_request");
});

specifies("4-organisation", async () => {
  const ours = await anOrganisation();
  expect(expectSuccess(await ours.get("/organisation"))).toMatchObject({ id: ours.id });
  for (const name of ["n", "n".repeat(120), "😀".repeat(120)]) {
    expect(expectSuccess(await ours.patch("/organisation", { name })).name).toBe(name);
  }
  for (const name of ["", "n".repeat(121), "😀".repeat(121), null, 1]) {
    expectRefused(await ours.patch("/organisation", { name }), 400, "invalid_request", ["body.name"]);
  }
  for (const scope of ["read", "write"] as const) {
    const other = await another(ours, scope);
    expectSuccess(await other.get("/organisation"));
    expectRefused(await other.patch("/organisation", { name: "Other" }), 401, "unauthenticated");
  }
  expect(expectSuccess(await ours.get("/organisation")).name).toBe("😀".repeat(120));
});

specifies("4-me", async () => {
  const ours = await anOrganisation();
  const reader = await another(ours, "read");
  const me = expectSuccess(await reader.get("/me"));
  expect(me).toMatchObject({
    key: { id: reader.id, scope: "read" },
    organisation: { id: ours.id },
    limits: {
      liveKeys: { limit: 20, used: 2 },
      openInvitations: { limit: 50, used: 0 },
      seats: { limit: 200, used: 1 },
    },
  });
});
