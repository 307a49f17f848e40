/** get_me: the caller's key, person and organisation. (docs/specification/organisation-and-me.md#me) */
import { defaultOf, eachLimit } from "../../src/contract/limits.ts";
import { expectAnswer } from "../support/answers.ts";
import { testApi } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";

const here = apiOfFile();

test.each(["read", "write", "admin"] as const)(
  "get_me with a %s key returns the key, its person and their organisation",
  async (scope) => {
    const ada = await here.owner(scope);
    const me = expectAnswer("get_me", await ada.get("/me"));
    expect(me.key).toMatchObject({ id: ada.key.id, prefix: ada.key.prefix, scope, revokedAt: null });
    expect(me.person).toEqual({
      userId: ada.organisation.ownerId,
      email: ada.organisation.email,
      displayName: "Olga Owner",
      role: "owner",
    });
    expect(me.organisation).toMatchObject({ id: ada.organisation.id, kind: "team", billingState: "active" });
  },
);

test("get_me returns null for a missing display name, and the state of a personal organisation", async () => {
  const ada = await here.owner("read", { kind: "personal", billing: "none" });
  const admin = await makeMember(here.db, ada.organisation.id, "admin");
  const me = expectAnswer("get_me", await (await here.another(ada, "read", admin)).get("/me"));
  expect(me.person).toMatchObject({ userId: admin, displayName: null, role: "admin" });
  expect(me.organisation).toMatchObject({ kind: "personal", billingState: "none" });
});

test("get_me returns each limit with its use", async () => {
  const ada = await here.owner();
  const limits = async () => expectAnswer("get_me", await ada.get("/me")).limits;
  expect(await limits()).toEqual({
    ...eachLimit((limit) => ({ limit: defaultOf(limit), used: 0 })),
    liveKeys: { limit: 20, used: 1 },
    seats: { limit: 200, used: 1 },
  });
  const botId = (await ada.post("/bots", { name: "Ada" })).body.id;
  const before = await limits();
  await ada.post("/keys", { name: "CI" });
  await ada.post("/webhooks", { url: "https://receiver.example/", events: ["run.finished"] });
  await ada.post("/invitations", { email: "guest.of.me@example.test" });
  await ada.post("/runs", { botId, message: "Hi" });
  await setLimits(here.db, ada.organisation.id, { monthlySpendMicroCents: 9007199254740991 });
  await here.db.sql(
    "insert into app.monthly_usage values ($1, date_trunc('month', now() at time zone 'UTC'), 5000000000)",
    [ada.organisation.id],
  );
  expect(await limits()).toEqual({
    ...before,
    liveKeys: { limit: 20, used: 2 },
    liveWebhooks: { limit: 10, used: 1 },
    openInvitations: { limit: 50, used: 1 },
    invitationsPerHour: { limit: 200, used: 1 },
    invitationsPerAddressPerDay: { limit: 5, used: 1 },
    seats: { limit: 200, used: 2 },
    runStartsPerHour: { limit: 120, used: 1 },
    monthlySpendMicroCents: { limit: 9007199254740991, used: 5_000_000_000 },
  });
});

test("A key's last use is recorded with its first call, and then at most once a minute by all processes", async () => {
  const ada = await here.owner();
  const lastUsed = async () => {
    // Each process notes its first call with a key, and then one a minute (identities.test.ts).
    const { call, stop } = await testApi(here.db);
    const answer = await call("GET", "/me", { key: ada.key.text });
    await stop();
    return expectAnswer("get_me", answer).key.lastUsedAt;
  };
  const [unused] = await here.db.sql("select last_used_at from app.api_key_uses where key_id = $1", [ada.key.id]);
  expect(unused).toEqual({ last_used_at: null });
  const first = await lastUsed();
  expect(Math.abs(Date.parse(first) - Date.now())).toBeLessThan(60_000);
  expect(await lastUsed()).toBe(first);
  await here.db.sql("update app.api_key_uses set last_used_at = now() - interval '40 seconds' where key_id = $1", [
    ada.key.id,
  ]);
  const aged = await lastUsed();
  expect(Date.parse(first) - Date.parse(aged)).toBeGreaterThan(20_000);
  await here.db.sql("update app.api_key_uses set last_used_at = now() - interval '61 seconds' where key_id = $1", [
    ada.key.id,
  ]);
  expect(Date.parse(await lastUsed())).toBeGreaterThanOrEqual(Date.parse(first));
});
