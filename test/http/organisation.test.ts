/** The caller's own organisation. (docs/specification/organisation-and-me.md#organisation) */
import { expectAnswer } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";

const here = apiOfFile();
const get = async (ada: Member) => expectAnswer("get_own_organisation", await ada.get("/organisation"));
const rowOf = async (ada: Member) =>
  (await here.db.sql<Json>("select * from app.organisations where id = $1", [ada.organisation.id]))[0];

test.each(["read", "write", "admin"] as const)(
  "get_own_organisation with a %s key returns every field",
  async (scope) => {
    const ada = await here.owner(scope);
    const shown = await get(ada);
    expect(shown).toEqual({
      id: ada.organisation.id,
      name: expect.any(String),
      kind: "team",
      billingState: "active",
      trialEndsAt: expect.any(String),
      createdAt: expect.any(String),
      language: "english",
      deletionAt: null,
      seats: { limit: 200, bought: null, members: 1, openInvitations: 0 },
      usage: { month: new Date().toISOString().slice(0, 7), spendMicroCents: 0, limitMicroCents: null },
    });
  },
);

test("Seats count members and open invitations", async () => {
  const ada = await here.owner();
  await makeMember(here.db, ada.organisation.id, "member");
  const invite = async (name: string) =>
    expectAnswer("create_invitation", await ada.post("/invitations", { email: `${name}.seats@example.test` }));
  const [revoked, expired] = [await invite("revoked"), await invite("expired")];
  await invite("open");
  await ada.delete(`/invitations/${revoked.id}`);
  await here.db.sql("update app.invitations set expires_at = now() where id = $1", [expired.id]);
  await here.db.sql("update app.organisations set seats_bought = 7 where id = $1", [ada.organisation.id]);
  await setLimits(here.db, ada.organisation.id, { seats: 300 });
  expect((await get(ada)).seats).toEqual({ limit: 300, bought: 7, members: 2, openInvitations: 1 });
});

test("Usage counts the current calendar month in UTC, of the own organisation only", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  await setLimits(here.db, ada.organisation.id, { monthlySpendMicroCents: 5000000000 });
  await here.db.sql(
    `insert into app.monthly_usage (organisation_id, month, spend_micro_cents)
     select $1::uuid, date_trunc('month', now() at time zone 'UTC') - before, spend
     from (values (interval '0', 4200000000), (interval '1 month', 9)) as spent (before, spend)`,
    [ada.organisation.id],
  );
  const month = new Date().toISOString().slice(0, 7);
  expect((await get(ada)).usage).toEqual({ month, spendMicroCents: 4_200_000_000, limitMicroCents: 5_000_000_000 });
  expect((await get(eve)).usage.spendMicroCents).toBe(0);
});

test("get_own_organisation returns each billing state", async () => {
  for (const billing of ["trial", "active", "none"] as const) {
    const ada = await here.owner("read", { billing });
    expect((await get(ada)).billingState).toBe(billing);
  }
});

test("rename_organisation changes only the name, and ignores other fields of the request", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const [before, others] = [await rowOf(ada), await rowOf(eve)];
  const body = {
    name: "Harbour & Söhne 🚢",
    id: eve.organisation.id,
    organisationId: eve.organisation.id,
    kind: "personal",
    billingState: "none",
    seats: { bought: 1000 },
    seatLimit: 1000,
  };
  const renamed = expectAnswer("rename_organisation", await ada.patch("/organisation", body));
  expect(renamed.name).toBe(body.name);
  expect(await get(ada)).toEqual(renamed);
  expect(await rowOf(ada)).toEqual({ ...before, name: body.name });
  expect(await rowOf(eve)).toEqual(others);
  expect((await ada.get("/me")).body.organisation.name).toBe(body.name);
});

test("A personal organisation can be read and renamed", async () => {
  const ada = await here.owner("admin", { kind: "personal" });
  expect((await get(ada)).kind).toBe("personal");
  expectAnswer("rename_organisation", await ada.patch("/organisation", { name: "Just me" }));
});
