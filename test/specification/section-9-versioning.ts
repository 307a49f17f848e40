import { createHmac } from "node:crypto";
import { expectSuccess } from "./client.ts";
import { anEndpoint, anOrganisation, call } from "./service.ts";
import { specifies } from "./specified.ts";

specifies("9-openapi", async () => {
  const answer = await call("GET", "/openapi.json");
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "public, max-age=3600"]);
  expect(answer.headers.get("etag")).toBeTruthy();
  expect(answer.body).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    info: { title: expect.any(String), version: expect.any(String) },
  });
  const { paths, servers } = answer.body;
  const base = new URL(servers[0].url).pathname;
  expect(base).toBe("/api/v1");
  const specified = [
    ...["/keys", "/keys/{id}", "/memories", "/memories/{id}", "/runs", "/runs/{id}", "/runs/{id}/cancel"],
    ...["/webhooks", "/webhooks/{id}", "/webhooks/{id}/rotate", "/webhooks/{id}/test", "/webhooks/{id}/deliveries"],
    ...["/deliveries/{id}", "/deliveries/{id}/redeliver", "/members", "/members/{userId}", "/invitations"],
    ...["/invitations/{id}", "/batch", "/openapi.json", "/platform/organisations", "/platform/organisations/{id}"],
  ];
  expect(specified.filter((path) => !(path in paths))).toEqual([]);
});

specifies("9-path-prefix", async () => {
  const { key } = await anOrganisation();
  expectSuccess(await call("GET", "/me", { key }));
  expect((await call("GET", "/../v2/me", { key })).status).toBe(404);
});

specifies("9-signature-version", async () => {
  const ours = await anOrganisation();
  const endpoint = await anEndpoint(ours, ["run.finished"]);
  expectSuccess(await ours.post(`/webhooks/${endpoint.row.id}/test`), 202);
  const [post] = await endpoint.waitFor(1);
  const signed = (version: string) =>
    createHmac("sha256", endpoint.row.secret)
      .update(`${version}:${post?.headers["x-botstead-timestamp"]}:${post?.body}`)
      .digest("hex");
  expect(post?.headers["x-botstead-signature"]).toBe(signed("v1"));
  expect(post?.headers["x-botstead-signature"]).not.toBe(signed("v2"));
});
