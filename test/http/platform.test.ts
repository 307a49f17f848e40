/** The operations of a platform key. (docs/specification/platform.md#operations) */
import { operations } from "../../src/contract/operations.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { absent } from "../support/requests.ts";
import { anEmailAddress } from "../support/resources.ts";

const here = apiOfFile();

test("create_organisation starts a trial, creates the owner and mails them", async () => {
  const operator = await here.platform();
  const email = anEmailAddress();
  const founding = await operator.post("/platform/organisations", {
    name: "Acme",
    owner: { email, displayName: "Ada" },
  });
  const acme = expectAnswer("create_organisation", founding);
  expect(founding.headers.get("location")).toMatch(new RegExp(`/api/v1/platform/organisations/${acme.id}$`));
  expect(acme).toMatchObject({
    name: "Acme",
    kind: "team",
    billingState: "trial",
    owner: { email, displayName: "Ada" },
  });
  expect(Date.parse(acme.trialEndsAt)).toBeGreaterThan(Date.now());
  expect(expectAnswer("get_organisation", await operator.get(`/platform/organisations/${acme.id}`))).toEqual(acme);
  expect(await here.db.sql("select recipient, data from app.mails where organisation_id = $1", [acme.id])).toEqual([
    { recipient: email, data: { organisation: "Acme" } },
  ]);
  const members = await here.db.sql("select person_id, role from app.memberships where organisation_id = $1", [
    acme.id,
  ]);
  expect(members).toEqual([{ person_id: acme.owner.userId, role: "owner" }]);
});

test("create_organisation accepts kind personal and an owner without a name", async () => {
  const operator = await here.platform();
  for (const owner of [{ email: anEmailAddress() }, { email: anEmailAddress(), displayName: null }]) {
    const created = await operator.post("/platform/organisations", { name: "Me", kind: "personal", owner });
    expect(expectAnswer("create_organisation", created)).toMatchObject({
      kind: "personal",
      owner: { displayName: null },
    });
  }
});

test("create_organisation returns no name of a known person, and leaves it unchanged", async () => {
  const operator = await here.platform();
  const email = anEmailAddress();
  const found = (owner: Json) => operator.post("/platform/organisations", { name: "Acme", owner });
  const { body: first } = await found({ email, displayName: "Ada" });
  const { body: second } = await found({ email: email.toUpperCase(), displayName: "Someone Else" });
  expect(second.id).not.toBe(first.id);
  expect(first.owner.displayName).toBe("Ada");
  expect(second.owner).toEqual({ ...first.owner, displayName: null });
  const { body: read } = await operator.get(`/platform/organisations/${second.id}`);
  expect(read.owner).toEqual(second.owner);
  expect((await operator.get(`/platform/organisations/${first.id}`)).body.owner).toEqual(first.owner);
  const [person] = await here.db.sql("select display_name from app.people where id = $1", [first.owner.userId]);
  expect(person).toEqual({ display_name: "Ada" });
});

test("create_organisation names each missing or invalid field", async () => {
  const operator = await here.platform();
  const found = (body: Json) => operator.post("/platform/organisations", body);
  expectRefusal(await found({}), "invalid_request", ["body.name", "body.owner"]);
  expectRefusal(await found({ name: "A", owner: {} }), "invalid_request", ["body.owner.email"]);
  expectRefusal(await found({ name: "A", kind: "club", owner: { email: anEmailAddress() } }), "invalid_request", [
    "body.kind",
  ]);
  const inCell = await operator.post("/platform/organisations?cell=one", {
    name: "A",
    owner: { email: anEmailAddress() },
  });
  expectRefusal(inCell, "invalid_request", ["query.cell"]); // there is no directory
  const long = `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example`;
  for (const email of ["", "ada", "ada@", "@example.test", "a b@example.test", `${long}${"e".repeat(254)}`, 7, null]) {
    expectRefusal(await found({ name: "A", owner: { email } }), "invalid_request", ["body.owner.email"]);
  }
  for (const displayName of ["", "a".repeat(121), "𝒳".repeat(121), 7]) {
    expectRefusal(await found({ name: "A", owner: { email: anEmailAddress(), displayName } }), "invalid_request", [
      "body.owner.displayName",
    ]);
  }
  const longest = "𝒳".repeat(120);
  expect(
    (await found({ name: "A", owner: { email: anEmailAddress(), displayName: longest } })).body.owner.displayName,
  ).toBe(longest);
});

test("create_owner_key returns a working admin key of the owner, and shows it once", async () => {
  const operator = await here.platform();
  const { body: acme } = await operator.post("/platform/organisations", {
    name: "Acme",
    owner: { email: anEmailAddress() },
  });
  const answered = await operator.post(`/platform/organisations/${acme.id}/owner-key`);
  const key = expectAnswer("create_owner_key", answered);
  expect(key).toMatchObject({ name: "Owner key", scope: "admin", createdBy: acme.owner.userId });
  expect(answered.headers.get("location")).toMatch(new RegExp(`/api/v1/keys/${key.id}$`));
  const days = (Date.parse(key.expiresAt) - Date.parse(key.createdAt)) / 86_400_000;
  expect(Math.abs(days - 90)).toBeLessThan(0.001);
  const seen = await here.api.call("GET", `/keys/${key.id}`, { key: key.key });
  const { key: _shown, ...row } = key;
  expect(seen.body).toEqual({ ...row, lastUsedAt: expect.any(String) });

  const named = { name: "Second", expiresInDays: 365 };
  const second = expectAnswer(
    "create_owner_key",
    await operator.post(`/platform/organisations/${acme.id}/owner-key`, named),
  );
  expect(second.name).toBe("Second");
  for (const expiresInDays of [0, 366, 1.5]) {
    const refused = await operator.post(`/platform/organisations/${acme.id}/owner-key`, { expiresInDays });
    expectRefusal(refused, "invalid_request", ["body.expiresInDays"]);
  }
});

test("create_owner_key is subject to the key limit, and returns 404 for an unknown organisation", async () => {
  const operator = await here.platform();
  const ada = await here.owner();
  const path = `/platform/organisations/${ada.organisation.id}/owner-key`;
  await setLimits(here.db, ada.organisation.id, { liveKeys: 2 });
  expectAnswer("create_owner_key", await operator.post(path));
  expectRefusal(await operator.post(path), "quota_exceeded");
  expectRefusal(await operator.post(`/platform/organisations/${absent}/owner-key`), "not_found");
  expectRefusal(await operator.get(`/platform/organisations/${absent}`), "not_found");
});

test("Of several owners the first is shown and gets the key", async () => {
  const operator = await here.platform();
  const ada = await here.owner();
  await makeMember(here.db, ada.organisation.id, "owner");
  const shown = expectAnswer("get_organisation", await operator.get(`/platform/organisations/${ada.organisation.id}`));
  expect(shown.owner).toMatchObject({ userId: ada.organisation.ownerId, email: ada.organisation.email });
  const { body: key } = await operator.post(`/platform/organisations/${ada.organisation.id}/owner-key`);
  expect(key.createdBy).toBe(ada.organisation.ownerId);
});

test("list_organisations returns the newest first, without any content", async () => {
  const operator = await here.platform();
  const ada = await here.owner();
  await ada.post("/memories", { scope: "organisation", kind: "k", subject: "s", value: "in-house" });
  const list = await operator.get("/platform/organisations?limit=200");
  const { data } = expectAnswer("list_organisations", list);
  expect(data[0].id).toBe(ada.organisation.id);
  expect(list.text).not.toContain("in-house");
});

test("A platform key is limited to the four platform operations, and no other key may call them", async () => {
  const operator = await here.platform();
  const ada = await here.owner("admin");
  for (const { method, path, keyClass } of operations) {
    const other = keyClass === "platform" ? ada : operator;
    const called = await here.api.call(method.toUpperCase(), path.replace("{id}", ada.organisation.id), {
      key: other.key.text,
    });
    expectRefusal(called, "unauthenticated");
  }
  expect(operations.filter((operation) => operation.keyClass === "platform")).toHaveLength(4);
});

test("A platform key is unauthenticated once revoked or expired", async () => {
  for (const end of ["revoked_at = now()", "expires_at = now()"]) {
    const operator = await here.platform();
    expect((await operator.get("/platform/organisations")).status).toBe(200);
    await here.db.sql(`update app.platform_keys set ${end} where id = $1`, [operator.key.id]);
    expectRefusal(await operator.get("/platform/organisations"), "unauthenticated");
  }
});
