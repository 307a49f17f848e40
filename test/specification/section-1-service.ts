import { anAddress, expectRefused, expectSuccess } from "./client.ts";
import { aBot, aMember, anOrganisation, call, keyOf, platformKey } from "./service.ts";
import { specifies } from "./specified.ts";

specifies("1-organisation-of-the-key", async () => {
  const [ours, theirs] = [await anOrganisation(), await anOrganisation()];
  const foreign = { organisationId: theirs.id, organisation_id: theirs.id, tenantId: theirs.id };
  const query = new URLSearchParams(foreign);
  const bot = await aBot(ours, foreign);
  expect(expectSuccess(await ours.get(`/bots/${bot}?${query}`)).id).toBe(bot);
  expect(expectSuccess(await ours.get(`/bots?${query}`)).data.map(({ id }: { id: string }) => id)).toEqual([bot]);
  expect(expectSuccess(await theirs.get("/bots")).data).toEqual([]);
  for (const path of [`/bots/${bot}`, `/members/${ours.ownerId}`]) {
    expectRefused(await theirs.get(path), 404, "not_found");
    expect((await ours.get(path)).status).toBe(200);
  }
});

specifies("1-person-of-the-key", async () => {
  const ours = await anOrganisation();
  const theirs = await keyOf(ours, (await aMember(ours, "admin")).userId);
  const personal = await aBot(ours, { visibility: "personal" });
  expectSuccess(await ours.get(`/bots/${personal}`));
  expectRefused(await theirs.get(`/bots/${personal}`), 404, "not_found");
  expectSuccess(await theirs.get(`/bots/${await aBot(ours)}`));
});

specifies("1-platform-key-reaches", async () => {
  const [key, from] = [platformKey(), anAddress()];
  const { id } = await anOrganisation();
  for (const path of ["/platform/organisations", `/platform/organisations/${id}`]) {
    expectSuccess(await call("GET", path, { key }));
  }
  for (const path of ["/me", "/keys", "/memories", "/runs", "/webhooks", "/members", "/invitations", "/organisation"]) {
    expectRefused(await call("GET", path, { key, from }), 401, "unauthenticated");
  }
  expectRefused(await call("POST", "/runs", { key, from, body: {} }), 401, "unauthenticated");
});
