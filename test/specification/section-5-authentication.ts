import { crc32 } from "node:zlib";
import { type Answer, anAddress, expectRefused, expectSuccess } from "./client.ts";
import { aMember, anOrganisation, another, asAdministrator, botstead, call, keyOf, platformKey } from "./service.ts";
import { specifies } from "./specified.ts";

specifies("5-bearer", async () => {
  const { key } = await anOrganisation();
  expectSuccess(await call("GET", "/me", { key }));
  for (const authorization of ["", key, `Basic ${key}`, "Bearer", "Bearer nonsense"]) {
    const refused = await call("GET", "/me", { headers: { authorization }, from: anAddress() });
    expectRefused(refused, 401, "unauthenticated");
    expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer/);
  }
});

specifies("5-command-line", async () => {
  const { code, stdout, stderr } = await botstead("platform-key", "mint", "--name", "one");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^bsp_[0-9A-Za-z]{49}\n$/);
  expectSuccess(await call("GET", "/platform/organisations", { key: stdout.trim() }));
  for (const days of ["1", "365"]) {
    const minted = await botstead("platform-key", "mint", "--name", "one", "--expires-days", days);
    expect(minted).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^bsp_\w{49}\n$/) });
  }
  for (const days of ["0", "366"]) {
    const { code, stdout } = await botstead("platform-key", "mint", "--name", "one", "--expires-days", days);
    expect([code, stdout]).toEqual([2, ""]);
  }
});

/** The key whose text begins so: CRC32 in base62 follows. */
function withChecksum(body: string): string {
  const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let [rest, checksum] = [crc32(body), ""];
  for (; checksum.length < 6; rest = Math.floor(rest / 62)) checksum = base62[rest % 62] + checksum;
  return body + checksum;
}

specifies("5-checksum", async () => {
  const ours = await anOrganisation();
  for (const key of [ours.key, platformKey()]) expect(withChecksum(key.slice(0, -6))).toBe(key);
});

const withoutRequestId = ({ status, text, headers }: Answer) => [
  status,
  text.replace(headers.get("x-request-id") ?? "?", ""),
  ...[...headers].filter(([name]) => !["x-request-id", "date"].includes(name)),
];

specifies("5-refusals-alike", async () => {
  const ours = await anOrganisation();
  const { userId } = await aMember(ours, "admin");
  const [demoted, expired] = [await keyOf(ours, userId), await another(ours, "admin")];
  const [revoked, reader] = [await another(ours, "admin"), await another(ours, "read")];
  expectSuccess(await demoted.get("/keys"));
  expectSuccess(await ours.patch(`/members/${userId}`, { role: "member" }));
  expectSuccess(await ours.delete(`/keys/${revoked.id}`));
  await asAdministrator(`update app.api_keys set expires_at = now() where id = '${expired.id}'`);
  const body = ours.key.slice(0, -6);
  const unknown = withChecksum(body.slice(0, -1) + (body.endsWith("A") ? "B" : "A"));
  const platform = platformKey();
  const answers = [];
  for (const key of [
    undefined,
    unknown,
    `${body}000000`,
    revoked.key,
    expired.key,
    platform,
    reader.key,
    demoted.key,
  ]) {
    const refused = await call("GET", "/keys", { key, from: anAddress() });
    expectRefused(refused, 401, "unauthenticated");
    answers.push(withoutRequestId(refused));
  }
  for (const answer of answers) expect(answer).toEqual(answers[0]);
});

specifies("5-creator-read-again", async () => {
  const ours = await anOrganisation();
  const { userId } = await aMember(ours, "admin");
  const theirs = await keyOf(ours, userId);
  const usable = async () => (await theirs.get("/bots", { from: anAddress() })).status;
  expect(await usable()).toBe(200);
  expectSuccess(await ours.patch(`/members/${userId}`, { role: "member" }));
  expect(await usable()).toBe(401);
  const { id: keyId, revokedAt } = expectSuccess(await ours.get("/keys")).data[0];
  expect(revokedAt).toBeNull(); // the row stays live until an admin revokes it
  expectSuccess(await ours.patch(`/members/${userId}`, { role: "admin" }));
  expect(await usable()).toBe(200);
  expectSuccess(await ours.delete(`/members/${userId}`));
  expect(await usable()).toBe(401);
  expect(expectSuccess(await ours.get(`/keys/${keyId}`)).revokedAt).toBeNull();
});

/** What keys of each scope reach, by the words of the specification. */
const reaches = {
  read: {
    get: ["/bots", "/memories", "/runs", "/members", "/invitations", "/organisation", "/me", "/models"],
    post: [],
  },
  write: { get: ["/bots", "/memories"], post: ["/bots", "/memories", "/runs", "/batch"] },
  admin: {
    get: ["/keys", "/webhooks", "/bots"],
    post: ["/keys", "/webhooks", "/invitations", "/bots", "/memories", "/runs", "/batch"],
  },
} as const;

specifies("5-scopes", async () => {
  const ours = await anOrganisation();
  const posts = new Set(Object.values(reaches).flatMap(({ post }) => [...post] as string[]));
  for (const scope of ["read", "write", "admin"] as const) {
    const { get, post } = await another(ours, scope);
    for (const path of reaches[scope].get) expectSuccess(await get(path));
    for (const path of posts) {
      const { status } = await post(path, {});
      const admitted = (reaches[scope].post as readonly string[]).includes(path);
      expect([scope, path, status]).toEqual([scope, path, admitted ? 400 : 401]);
    }
    if (scope !== "admin")
      for (const path of ["/keys", "/webhooks"]) expectRefused(await get(path), 401, "unauthenticated");
  }
});

specifies("5-openapi-without-key", async () => {
  expect((await call("GET", "/openapi.json")).status).toBe(200);
});
