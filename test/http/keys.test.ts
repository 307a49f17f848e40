/** API keys. (docs/specification/keys.md) */
import { classOf } from "../../src/secrets/credentials.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeKey, makeMember, setLimits } from "../support/database.ts";

const here = apiOfFile();
const dayMs = 86_400_000;

test("create_key shows the key once, with defaults of scope and expiry, and the key works at once", async () => {
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
    usable: true,
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

test("create_key names the missing or unknown field", async () => {
  const ada = await here.owner();
  expectRefusal(await ada.post("/keys", {}), "invalid_request", ["body.name"]);
  expectRefusal(await ada.post("/keys", { name: "CI", scope: "owner" }), "invalid_request", ["body.scope"]);
  expectRefusal(await ada.post("/keys", { name: "CI", scope: null }), "invalid_request", ["body.scope"]);
  expectRefusal(await ada.post("/keys", { name: "CI" }, { idempotencyKey: null }), "invalid_request", [
    "headers.idempotency-key",
  ]);
});

test("list_keys filters by state, and pages within a state", async () => {
  const ada = await here.owner();
  const ids: string[] = [];
  for (let made = 0; made < 7; made += 1) ids.unshift((await ada.post("/keys", { name: "CI" })).body.id);
  const expired = ids.filter((_, place) => place % 3 === 0);
  await here.db.sql("update app.api_keys set expires_at = now() where id = any ($1)", [expired]);
  const [revoked, revokedAfterExpiry] = [ids[1] as string, ids[3] as string];
  for (const id of [revoked, revokedAfterExpiry]) await ada.delete(`/keys/${id}`);
  const all = expectAnswer("list_keys", await ada.get("/keys")).data;
  const rowsOf = (wanted: (string | undefined)[]) => all.filter(({ id }: Json) => wanted.includes(id));
  const listed = async (query: string) => expectAnswer("list_keys", await ada.get(`/keys?${query}`));

  expect((await listed("state=live")).data).toEqual(rowsOf([ids[2], ids[4], ids[5], ada.key.id]));
  expect((await listed("state=expired")).data).toEqual(rowsOf([ids[0], ids[6]]));
  expect((await listed("state=revoked")).data).toEqual(rowsOf([revoked, revokedAfterExpiry]));
  for (const state of ["live", "expired", "revoked"]) {
    const { data: both } = await listed(`state=${state}&limit=2`);
    const first = await listed(`state=${state}&limit=1`);
    const second = await listed(`state=${state}&limit=1&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data]).toEqual(both);
  }
  expectRefusal(await ada.get("/keys?state=lost"), "invalid_request", ["query.state"]);
});

test("A key can revoke itself, and is unauthenticated afterwards", async () => {
  const ada = await here.owner();
  const revoked = expectAnswer("revoke_key", await ada.delete(`/keys/${ada.key.id}`));
  expect(revoked.id).toBe(ada.key.id);
  expectRefusal(await ada.get("/keys"), "unauthenticated");
});

test("The key limit that an operator set replaces the default, and an expired key does not count", async () => {
  const ada = await here.owner();
  await setLimits(here.db, ada.organisation.id, { liveKeys: 2 });
  const { id } = expectAnswer("create_key", await ada.post("/keys", { name: "CI" }));
  expectRefusal(await ada.post("/keys", { name: "CI" }), "quota_exceeded");
  await here.db.sql("update app.api_keys set expires_at = now() where id = $1", [id]);
  expectAnswer("create_key", await ada.post("/keys", { name: "CI" }));
  expect((await ada.get("/me")).body.limits.liveKeys).toEqual({ limit: 2, used: 2 });
});

test("Admins read and revoke each other's keys, and a key is always created by its caller", async () => {
  const ada = await here.owner();
  const admin = await makeMember(here.db, ada.organisation.id, "admin");
  const bob = here.withKey(await makeKey(here.db, ada.organisation.id, admin));
  const { body: key } = await bob.post("/keys", { name: "Bob's", createdBy: ada.organisation.ownerId });
  expect(key.createdBy).toBe(admin);
  expect((await ada.get(`/keys/${key.id}`)).body.createdBy).toBe(admin);
  expect((await ada.delete(`/keys/${key.id}`)).body.revokedAt).not.toBeNull();
});

test("get_key reports a key as usable while it is live and its person an owner or admin", async () => {
  const ada = await here.owner();
  const bob = await makeMember(here.db, ada.organisation.id, "admin");
  const { key } = await here.another(ada, "read", bob);
  const isUsable = async () => {
    const { usable } = expectAnswer("get_key", await ada.get(`/keys/${key.id}`));
    const { status } = await here.api.call("GET", "/bots", { key: key.text });
    expect(status).toBe(usable ? 200 : 401);
    return usable;
  };
  expect(await isUsable()).toBe(true);
  await ada.patch(`/members/${bob}`, { role: "member" });
  expect(await isUsable()).toBe(false);
  await ada.patch(`/members/${bob}`, { role: "admin" });
  expect(await isUsable()).toBe(true);
  await ada.delete(`/members/${bob}`);
  expect(await isUsable()).toBe(false);
  // A person who joins again can use their old keys.
  await here.db.sql("insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'admin')", [
    ada.organisation.id,
    bob,
  ]);
  expect(await isUsable()).toBe(true);
  await here.db.sql("update app.api_keys set expires_at = now() where id = $1", [key.id]);
  expect(await isUsable()).toBe(false);
});
