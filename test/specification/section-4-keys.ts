import { randomUUID } from "node:crypto";
import { anAddress, countsOf, expectRefused, expectSuccess, manyTimes } from "./client.ts";
import { anOrganisation, call, clientOf } from "./service.ts";
import { specifies } from "./specified.ts";

specifies("4-keys-name", async () => {
  const ours = await anOrganisation();
  for (const name of ["n", "n".repeat(60), "😀".repeat(60)]) {
    expect(expectSuccess(await ours.post("/keys", { name }), 201).name).toBe(name);
  }
  for (const name of ["", "n".repeat(61), "😀".repeat(61), null, undefined, 7]) {
    expectRefused(await ours.post("/keys", { name }), 400, "invalid_request", ["body.name"]);
  }
});

specifies("4-keys-life", async () => {
  const ours = await anOrganisation();
  const days = async (body: object) => {
    const { createdAt, expiresAt } = expectSuccess(await ours.post("/keys", { name: "Once", ...body }), 201);
    return (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000;
  };
  expect(await days({ expiresInDays: 1 })).toBeCloseTo(1, 3);
  expect(await days({ expiresInDays: 365 })).toBeCloseTo(365, 3);
  expect(await days({})).toBeCloseTo(90, 3);
  for (const expiresInDays of [0, 366, -1, 1.5, "90", null, 1e9]) {
    const refused = await ours.post("/keys", { name: "Once", expiresInDays });
    expectRefused(refused, 400, "invalid_request", ["body.expiresInDays"]);
  }
});

specifies("4-keys-scope", async () => {
  const ours = await anOrganisation();
  for (const scope of ["read", "write", "admin"]) {
    const made = expectSuccess(await ours.post("/keys", { name: "Once", scope }), 201);
    expect(made.scope).toBe(scope);
    expectSuccess(await clientOf(made.key).get("/bots"));
  }
  expectRefused(await ours.post("/keys", { name: "Once", scope: "owner" }), 400, "invalid_request", ["body.scope"]);
});

specifies("4-keys-unknown", async () => {
  const [ours, theirs] = [await anOrganisation(), await anOrganisation()];
  const { id } = expectSuccess(await theirs.post("/keys", { name: "Theirs" }), 201);
  for (const path of [`/keys/${randomUUID()}`, `/keys/${id}`, "/keys/nonsense"]) {
    expectRefused(await ours.get(path), 404, "not_found");
    expectRefused(await ours.delete(path), 404, "not_found");
  }
});

specifies("4-keys-revoke", async () => {
  const ours = await anOrganisation();
  const { id, key } = expectSuccess(await ours.post("/keys", { name: "Once" }), 201);
  expectSuccess(await call("GET", "/bots", { key }));
  expectSuccess(await ours.delete(`/keys/${id}`));
  expectRefused(await call("GET", "/bots", { key, from: anAddress() }), 401, "unauthenticated");
});

specifies("4-keys-limit", async () => {
  const ours = await anOrganisation();
  const make = () => ours.post("/keys", { name: "Once" });
  const answers = await manyTimes(22, make); // beside the key of the owner
  expect(countsOf(answers)).toEqual({ 201: 19, 429: 3 });
  for (const answer of answers.filter(({ status }) => status === 429)) expectRefused(answer, 429, "quota_exceeded");
  const live = expectSuccess(await ours.get("/keys?limit=200")).data;
  expect(live).toHaveLength(20);
  expectSuccess(await ours.delete(`/keys/${live[0].id}`));
  expectSuccess(await make(), 201);
  expectRefused(await make(), 429, "quota_exceeded");
});
