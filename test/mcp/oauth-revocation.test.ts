/** A client ends its key at the revocation endpoint. (docs/specification/oauth.md#revocation) */
import { makeCredential } from "../../src/secrets/credentials.ts";
import { makeRateLimiter } from "../../src/web/rate-limiter.ts";
import { type Json, type TestApi, testApi } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { consented, exchange, oauthOfFile, sessionAt } from "../support/oauth.ts";
import { portalSessionsOf } from "../support/portal-session.ts";

const here = apiOfFile();
const at = oauthOfFile(here);
const { aLink } = portalSessionsOf(here);

async function revoke(form: Record<string, string>, api: TestApi = at.api) {
  const response = await fetch(`${api.url}/oauth/revoke`, { method: "POST", body: new URLSearchParams(form) });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}
const isLive = async (key: string) => (await at.api.call("GET", "/me", { key })).status === 200;
const tokenOf = async (ada: Member, scope: string): Promise<string> =>
  (await exchange(at.api, await consented(at, await sessionAt(at.api, await aLink(ada)), { scope }))).body.access_token;

test("the metadata names the endpoint, and that it needs no secret of a client", async () => {
  const metadata = await (await fetch(`${at.api.url}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).toMatchObject({
    revocation_endpoint: `${at.api.url}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: ["none"],
  });
});

test.each(["read", "admin"])(
  "a client ends its key of scope %s and no other, and the audit log names the key",
  async (scope) => {
    const ada = await here.owner();
    const [token, other] = [await tokenOf(ada, scope), await tokenOf(ada, scope)];
    const { id } = (await at.api.call("GET", "/me", { key: token })).body.key;
    const { status, headers, body } = await revoke({ token, token_type_hint: "access_token", client_id: "any" });
    expect([status, body, headers.get("cache-control")]).toEqual([200, {}, "no-store"]);
    expect([await isLive(token), await isLive(other), await isLive(ada.key.text)]).toEqual([false, true, true]);
    const { data } = (await ada.get(`/audit?resourceId=${id}`)).body;
    expect(data[0]).toMatchObject({ action: "updated", actor: "key", keyId: id, changed: ["revokedAt"] });
  },
);

test("a token that is unknown, ended or no key answers 200 and changes nothing", async () => {
  const ada = await here.owner();
  const token = await tokenOf(ada, "read");
  await revoke({ token });
  const revokedAt = async () => (await ada.get("/keys")).body.data.map((key: { revokedAt: string }) => key.revokedAt);
  const before = await revokedAt();
  for (const each of [token, makeCredential("bsk").text, makeCredential("bsp").text, "nonsense"])
    expect([each, (await revoke({ token: each })).status]).toEqual([each, 200]);
  expect(await revokedAt()).toEqual(before);
});

test("a request without a token, or with two, is refused", async () => {
  expect((await revoke({ token: "" })).body.error).toBe("invalid_request");
  const { key } = await here.owner();
  const body = new URLSearchParams([
    ["token", key.text],
    ["token", key.text],
  ]);
  expect((await fetch(`${at.api.url}/oauth/revoke`, { method: "POST", body })).status).toBe(400);
  expect(await isLive(key.text)).toBe(true);
});

test("unknown tokens count for the address of the caller", async () => {
  const api = await testApi(
    here.db,
    {},
    makeRateLimiter(() => 1_800_000_000_000),
  );
  const answers = await Promise.all(
    Array.from({ length: 80 }, () => revoke({ token: makeCredential("bsk").text }, api)),
  );
  await api.stop();
  const limited = answers.filter(({ status }) => status === 429);
  expect([limited.length, limited[0]?.body.error, limited[0]?.headers.get("retry-after")]).toEqual([
    20,
    "too_many_requests",
    "60",
  ]);
});

test("concurrent revocations of a token end it once", async () => {
  const ada = await here.owner();
  const token = await tokenOf(ada, "write");
  const { id } = (await at.api.call("GET", "/me", { key: token })).body.key;
  const answers = await Promise.all(Array.from({ length: 8 }, () => revoke({ token })));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const { data } = (await ada.get(`/audit?resourceId=${id}`)).body;
  expect(data.filter(({ action }: { action: string }) => action === "updated")).toHaveLength(1);
});
