/** Rotation of keys. (docs/specification/keys.md#rotating) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { absent } from "../support/requests.ts";
import { twoProcesses } from "../support/two-processes.ts";

const here = apiOfFile();
const { atOnce } = twoProcesses(here);
const hourMs = 3_600_000;

const make = async (ada: Member, more: Json = {}) =>
  expectAnswer("create_key", await ada.post("/keys", { name: "CI", ...more }));
const rotate = (ada: Member, id: string, body?: Json): Promise<Reply<Json>> => ada.post(`/keys/${id}/rotate`, body);
const read = async (ada: Member, id: string) => (await ada.get(`/keys/${id}`)).body;
const works = async (key: string) => (await here.api.call("GET", "/me", { key })).status === 200;
const near = (time: string, expected: number) => expect(Math.abs(Date.parse(time) - expected)).toBeLessThan(10_000);

test.each(["read", "write", "admin"])(
  "rotate_key returns a key with the same name, lifetime and scope %s, and both keys work",
  async (scope) => {
    const ada = await here.owner();
    const old = await make(ada, { name: "Deploy", scope, expiresInDays: 30 });
    const reply = await rotate(ada, old.id);
    const key = expectAnswer("rotate_key", reply);
    expect(reply.status).toBe(201);
    expect(reply.headers.get("location")).toMatch(new RegExp(`/keys/${key.id}$`));
    expect(key).toMatchObject({ name: "Deploy", scope, revokedAt: null, lastUsedAt: null });
    expect([key.id === old.id, key.key === old.key]).toEqual([false, false]);
    near(key.expiresAt, Date.parse(key.createdAt) + 30 * 24 * hourMs);
    near((await read(ada, old.id)).expiresAt, Date.now() + 24 * hourMs);
    expect([await works(old.key), await works(key.key)]).toEqual([true, true]);
    expect((await here.api.call("GET", "/me", { key: key.key })).body.key.scope).toBe(scope);
  },
);

test("The new key is created by the caller of rotate_key, and depends on that person's role", async () => {
  const ada = await here.owner();
  const admin = await makeMember(here.db, ada.organisation.id, "admin");
  const bob = await here.another(ada, "admin", admin);
  const old = await make(ada);
  const key = expectAnswer("rotate_key", await rotate(bob, old.id));
  expect([old.createdBy, key.createdBy]).toEqual([ada.organisation.ownerId, admin]);
  await ada.patch(`/members/${admin}`, { role: "member" });
  expect([await works(old.key), await works(key.key)]).toEqual([true, false]);
});

test.each([0, 1, 168])(
  "rotate_key with an overlap of %i hours ends the old key after that time",
  async (overlapHours) => {
    const ada = await here.owner();
    const old = await make(ada);
    const key = expectAnswer("rotate_key", await rotate(ada, old.id, { overlapHours }));
    near((await read(ada, old.id)).expiresAt, Date.now() + overlapHours * hourMs);
    expect([await works(old.key), await works(key.key)]).toEqual([overlapHours > 0, true]);
  },
);

test("rotate_key never extends the old key's expiry", async () => {
  const ada = await here.owner();
  const old = await make(ada, { expiresInDays: 1 });
  expectAnswer("rotate_key", await rotate(ada, old.id, { overlapHours: 168 }));
  expect((await read(ada, old.id)).expiresAt).toBe(old.expiresAt);
});

test("No update extends the expiry of a key", async () => {
  const ada = await here.owner();
  const move = (by: string) =>
    here.db.sql("update app.api_keys set expires_at = expires_at + $2::interval where id = $1", [ada.key.id, by]);
  await expect(move("1 second")).rejects.toMatchObject({ code: "23514" });
  await move("-1 second");
});

test("rotate_key refuses an overlap outside 0 to 168 whole hours, and changes nothing", async () => {
  const ada = await here.owner();
  const old = await make(ada);
  for (const overlapHours of [-1, 169, 1.5, "24", null, 1e12]) {
    expectRefusal(await rotate(ada, old.id, { overlapHours }), "invalid_request", ["body.overlapHours"]);
  }
  expect((await read(ada, old.id)).expiresAt).toBe(old.expiresAt);
  expect((await ada.get("/keys")).body.data).toHaveLength(2);
});

test("rotate_key of a rotated, revoked or expired key returns conflict", async () => {
  const ada = await here.owner();
  const [rotated, revoked, expired] = [await make(ada), await make(ada), await make(ada)];
  expectAnswer("rotate_key", await rotate(ada, rotated.id, { overlapHours: 0 }));
  await ada.delete(`/keys/${revoked.id}`);
  await here.db.sql("update app.api_keys set expires_at = now() where id = $1", [expired.id]);
  const before = (await ada.get("/keys")).body.data;
  for (const { id } of [rotated, revoked, expired]) expectRefusal(await rotate(ada, id), "conflict");
  expect((await ada.get("/keys")).body.data).toEqual(before);
  expect(before).toHaveLength(5);
});

test("A key can be rotated once, also during its overlap; its successor can be rotated again", async () => {
  const ada = await here.owner();
  const old = await make(ada, { expiresInDays: 30 });
  const next = expectAnswer("rotate_key", await rotate(ada, old.id));
  expectRefusal(await rotate(ada, old.id), "conflict");
  expect(await works(old.key)).toBe(true);
  const last = expectAnswer("rotate_key", await rotate(ada, next.id));
  near(last.expiresAt, Date.parse(last.createdAt) + 30 * 24 * hourMs);
});

test("rotate_key returns 404 for an absent or foreign key, and is refused for a write key", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  for (const id of [absent, eve.key.id]) expectRefusal(await rotate(ada, id), "not_found");
  const writer = await here.another(ada, "write");
  expectRefusal(await rotate(writer, writer.key.id), "unauthenticated");
  expect((await eve.get("/keys")).body.data).toHaveLength(1);
});

test("With 20 live keys rotate_key needs an overlap of 0", async () => {
  const ada = await here.owner();
  const old = await make(ada);
  for (let made = 2; made < 20; made += 1) await make(ada);
  expectRefusal(await rotate(ada, old.id, { overlapHours: 1 }), "quota_exceeded");
  expect((await read(ada, old.id)).expiresAt).toBe(old.expiresAt); // the refusal has not changed the expiry
  expect(await works(old.key)).toBe(true);
  const key = expectAnswer("rotate_key", await rotate(ada, old.id, { overlapHours: 0 }));
  expect([await works(old.key), await works(key.key)]).toEqual([false, true]);
  expect((await ada.get("/me")).body.limits.liveKeys).toEqual({ limit: 20, used: 20 });
});

test("A replay of rotate_key returns the same key byte for byte", async () => {
  const ada = await here.owner();
  const old = await make(ada);
  const ask = () => ada.post(`/keys/${old.id}/rotate`, { overlapHours: 2 }, { idempotencyKey: "rotate" });
  const first = await ask();
  expectAnswer("rotate_key", first);
  const again = await ask();
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect([again.status, again.text, again.headers.get("location")]).toEqual([
    first.status,
    first.text,
    first.headers.get("location"),
  ]);
  expect((await ada.get("/keys")).body.data).toHaveLength(3);
});

test("A key can rotate itself, and with overlap 0 ends before a replay", async () => {
  const ada = await here.owner();
  const ask = () => ada.post(`/keys/${ada.key.id}/rotate`, { overlapHours: 0 }, { idempotencyKey: "self" });
  const key = expectAnswer("rotate_key", await ask());
  expectRefusal(await ask(), "unauthenticated");
  expect(await works(key.key)).toBe(true);
});

test("Of twenty rotate_key calls at once exactly one succeeds", async () => {
  const ada = await here.owner();
  const old = await make(ada);
  const answers = await atOnce(20, (api) =>
    api.call<Json>("POST", `/keys/${old.id}/rotate`, { key: ada.key.text, body: { overlapHours: 0 } }),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, "conflict");
  expect((await ada.get("/me")).body.limits.liveKeys.used).toBe(2);
});
