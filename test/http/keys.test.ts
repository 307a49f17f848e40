/** Keys over HTTP. (Part 4, "Keys"; part 7.) */
import { classOf } from "../../src/secrets/credentials.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeKey, makeMember } from "../support/database.ts";

const here = apiOfFile();
const dayMs = 86_400_000;
const absent = "01890000-0000-7000-8000-000000000000";

test("a key is shown once, with what was left out filled in, and works at once", async () => {
  const ada = await here.owner();
  const made = await ada.post("/keys", { name: "CI" });
  const key = expectAnswer("create_key", made);
  expect(made.status).toBe(201);
  expect(made.headers.get("location")).toMatch(new RegExp(`/api/v1/keys/${key.id}$`));
  expect(key).toMatchObject({
    name: "CI",
    scope: "read",
    createdBy: ada.organisation.ownerId,
    lastUsedAt: null,
    revokedAt: null,
  });
  expect(key.key).toMatch(/^bsk_[0-9A-Za-z]{49}$/);
  expect(classOf(key.key)).toBe("bsk");
  expect(key.prefix).toBe(key.key.slice(0, 12));
  expect(Math.abs(Date.parse(key.expiresAt) - Date.parse(key.createdAt) - 90 * dayMs)).toBeLessThan(2_000);

  const used = await here.api.call("GET", "/me", { key: key.key });
  expect(used.body.key).toMatchObject({ id: key.id, scope: "read" });
  const { key: text, ...row } = key;
  const read = expectAnswer("get_key", await ada.get(`/keys/${key.id}`));
  expect(read).toEqual({ ...row, lastUsedAt: expect.any(String) });
  const list = await ada.get("/keys");
  expectAnswer("list_keys", list);
  expect(list.body.data[0]).toEqual(read);
  expect(list.text).not.toContain(text);
});

test.each(["read", "write", "admin"])("a key of scope %s is what was asked for", async (scope) => {
  const ada = await here.owner();
  expect((await ada.post("/keys", { name: "CI", scope })).body.scope).toBe(scope);
});

test("a key lives for 1 to 365 whole days", async () => {
  const ada = await here.owner();
  for (const expiresInDays of [1, 2, 364, 365]) {
    const { body } = await ada.post("/keys", { name: "CI", expiresInDays });
    expect(Math.abs(Date.parse(body.expiresAt) - Date.parse(body.createdAt) - expiresInDays * dayMs)).toBeLessThan(
      2_000,
    );
  }
  for (const expiresInDays of [0, 366, -1, 1.5, "90", null, 1e9]) {
    expectRefusal(await ada.post("/keys", { name: "CI", expiresInDays }), "invalid_request", ["body.expiresInDays"]);
  }
});

test("a key without a name, or of an unknown scope, is refused by the path that fails", async () => {
  const ada = await here.owner();
  expectRefusal(await ada.post("/keys", {}), "invalid_request", ["body.name"]);
  expectRefusal(await ada.post("/keys", { name: "CI", scope: "owner" }), "invalid_request", ["body.scope"]);
  expectRefusal(await ada.post("/keys", { name: "CI", scope: null }), "invalid_request", ["body.scope"]);
  expectRefusal(await ada.post("/keys", { name: "CI" }, { idempotencyKey: null }), "invalid_request", [
    "headers.idempotency-key",
  ]);
});

test("revoking a key answers its row, ends it at once, and revoking it again changes nothing", async () => {
  const ada = await here.owner();
  const { body: key } = await ada.post("/keys", { name: "CI" });
  expect((await here.api.call("GET", "/me", { key: key.key })).status).toBe(200);
  const revoked = expectAnswer("revoke_key", await ada.delete(`/keys/${key.id}`));
  expect(revoked).toMatchObject({ id: key.id, revokedAt: expect.any(String) });
  expectRefusal(await here.api.call("GET", "/me", { key: key.key }), "unauthenticated");
  expect(expectAnswer("revoke_key", await ada.delete(`/keys/${key.id}`))).toEqual(revoked);
  const list = await ada.get("/keys");
  expect(list.body.data[0]).toEqual(revoked);
});

test("a key can revoke itself, and is then nobody", async () => {
  const ada = await here.owner();
  const revoked = expectAnswer("revoke_key", await ada.delete(`/keys/${ada.key.id}`));
  expect(revoked.id).toBe(ada.key.id);
  expectRefusal(await ada.get("/keys"), "unauthenticated");
});

test("an unknown key is not found, and neither is another organisation's", async () => {
  const ada = await here.owner();
  const foreign = await here.owner();
  for (const id of [absent, foreign.key.id]) {
    expectRefusal(await ada.get(`/keys/${id}`), "not_found");
    expectRefusal(await ada.delete(`/keys/${id}`), "not_found");
  }
  expect((await foreign.get(`/keys/${foreign.key.id}`)).body.revokedAt).toBeNull();
});

test("the twenty-first live key is refused; a revoked or expired one makes room", async () => {
  const ada = await here.owner();
  const ids: string[] = [];
  for (let made = 1; made < 20; made += 1) ids.push((await ada.post("/keys", { name: "CI" })).body.id);
  expectRefusal(await ada.post("/keys", { name: "CI" }), "quota_exceeded");
  await ada.delete(`/keys/${ids[0]}`);
  expectAnswer("create_key", await ada.post("/keys", { name: "CI" }));
  expectRefusal(await ada.post("/keys", { name: "CI" }), "quota_exceeded");
  await here.db.sql("update app.api_keys set expires_at = now() where id = $1", [ids[1]]);
  expectAnswer("create_key", await ada.post("/keys", { name: "CI" }));
  expect((await ada.get("/me")).body.limits.liveKeys).toEqual({ limit: 20, used: 20 });
  expect((await ada.get("/keys")).body.data).toHaveLength(22);
});

test("a ceiling that an operator raised holds in place of the usual one", async () => {
  const ada = await here.owner();
  await here.db.sql("update app.organisations set live_key_ceiling = 2 where id = $1", [ada.organisation.id]);
  expectAnswer("create_key", await ada.post("/keys", { name: "CI" }));
  expectRefusal(await ada.post("/keys", { name: "CI" }), "quota_exceeded");
});

test("admins read and revoke each other's keys, and a key is always its maker's own", async () => {
  const ada = await here.owner();
  const admin = await makeMember(here.db, ada.organisation.id, "admin");
  const bob = here.withKey(await makeKey(here.db, ada.organisation.id, admin));
  const { body: key } = await bob.post("/keys", { name: "Bob's", createdBy: ada.organisation.ownerId });
  expect(key.createdBy).toBe(admin);
  expect((await ada.get(`/keys/${key.id}`)).body.createdBy).toBe(admin);
  expect((await ada.delete(`/keys/${key.id}`)).body.revokedAt).not.toBeNull();
});
