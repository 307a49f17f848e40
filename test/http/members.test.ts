/** Members: who may change and remove whom. (docs/specification/members.md#roles) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { absent } from "../support/requests.ts";

const here = apiOfFile();

/** Another person of the organisation, with a key that works if their role allows it. */
async function joined(ada: Member, role: "owner" | "admin" | "member") {
  const id = await makeMember(here.db, ada.organisation.id, role);
  return { id, path: `/members/${id}`, ...(await here.another(ada, "admin", id)) };
}

const roleOf = async (ada: Member, id: string) => (await ada.get(`/members/${id}`)).body.role;

test("list_members pages newest first, and get_member returns the same row", async () => {
  const ada = await here.owner();
  const ids = [ada.organisation.ownerId];
  for (const role of ["member", "admin", "owner", "member"] as const) {
    ids.unshift(await makeMember(here.db, ada.organisation.id, role));
  }
  const all = expectAnswer("list_members", await ada.get("/members"));
  expect(all.data.map((row: Json) => row.userId)).toEqual(ids);
  expect(all.nextCursor).toBeNull();
  const pages: Json[] = [];
  for (let cursor = ""; ; ) {
    const page = expectAnswer("list_members", await ada.get(`/members?limit=2${cursor && `&cursor=${cursor}`}`));
    pages.push(page.data);
    if (!page.nextCursor) break;
    cursor = page.nextCursor;
  }
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  expect(pages.flat()).toEqual(all.data);
  for (const row of all.data) {
    expect(expectAnswer("get_member", await ada.get(`/members/${row.userId}`))).toEqual(row);
  }
  expect(all.data.at(-1)).toEqual({
    userId: ada.organisation.ownerId,
    email: ada.organisation.email,
    displayName: "Olga Owner",
    role: "owner",
    createdAt: expect.any(String),
  });
});

test("list_members finds a member by address in any case, and no person of another organisation", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const bob = await makeMember(here.db, ada.organisation.id, "member");
  const { body: row } = await ada.get(`/members/${bob}`);
  const found = async (email: string) =>
    expectAnswer("list_members", await ada.get(`/members?email=${encodeURIComponent(email)}`));
  expect(await found(row.email)).toEqual({ data: [row], nextCursor: null });
  expect((await found(row.email.toUpperCase())).data).toEqual([row]);
  expect((await found(eve.organisation.email)).data).toEqual([]);
  expect((await eve.get("/members")).body.data[0].email).toBe(eve.organisation.email);
  expect((await found("nobody@example.test")).data).toEqual([]);
  expectRefusal(await ada.get("/members?email=bob"), "invalid_request", ["query.email"]);
  const before = (await ada.get("/members?limit=1")).body.nextCursor; // Bob joined last
  expect((await ada.get(`/members?email=${encodeURIComponent(row.email)}&cursor=${before}`)).body.data).toEqual([]);
});

test("A read key reads members, and a write key changes none", async () => {
  const ada = await here.owner();
  const bob = await joined(ada, "member");
  const reader = await here.another(ada, "read");
  expectAnswer("list_members", await reader.get("/members"));
  expectAnswer("get_member", await reader.get(bob.path));
  const writer = await here.another(ada, "write");
  expectRefusal(await writer.patch(bob.path, { role: "admin" }), "unauthenticated");
  expectRefusal(await writer.delete(bob.path), "unauthenticated");
  expect(await roleOf(ada, bob.id)).toBe("member");
});

test.each(["owner", "admin", "member"] as const)("An owner may give an %s any role, and remove them", async (role) => {
  const ada = await here.owner();
  const bob = await joined(ada, role);
  for (const given of ["member", "admin", "owner", "admin", "member", "owner", "owner"]) {
    expect(expectAnswer("change_member", await ada.patch(bob.path, { role: given })).role).toBe(given);
    expect(await roleOf(ada, bob.id)).toBe(given);
  }
  expect(expectAnswer("remove_member", await ada.delete(bob.path))).toEqual({ id: bob.id, deleted: true });
  expectRefusal(await ada.get(bob.path), "not_found");
  expectRefusal(await ada.delete(bob.path), "not_found");
  expect((await ada.get("/members")).body.data).toHaveLength(1);
});

test("An admin may change and remove members and other admins", async () => {
  const ada = await here.owner();
  const admin = await joined(ada, "admin");
  const [bob, peer] = [await joined(ada, "member"), await joined(ada, "admin")];
  expect(expectAnswer("change_member", await admin.patch(bob.path, { role: "admin" })).role).toBe("admin");
  expect(expectAnswer("change_member", await admin.patch(peer.path, { role: "member" })).role).toBe("member");
  expectAnswer("remove_member", await admin.delete(bob.path));
  expectAnswer("remove_member", await admin.delete(peer.path));
  expect((await ada.get("/members")).body.data).toHaveLength(2);
});

test("The last owner cannot be demoted until there is another owner", async () => {
  const ada = await here.owner();
  const own = `/members/${ada.organisation.ownerId}`;
  for (const role of ["admin", "member"]) expectRefusal(await ada.patch(own, { role }), "forbidden");
  expect(expectAnswer("change_member", await ada.patch(own, { role: "owner" })).role).toBe("owner");
  const bob = await joined(ada, "owner");
  expect(expectAnswer("change_member", await ada.patch(own, { role: "admin" })).role).toBe("admin");
  expectRefusal(await bob.patch(bob.path, { role: "admin" }), "forbidden");
  expect(await roleOf(ada, bob.id)).toBe("owner");
  expectRefusal(await ada.patch(own, { role: "owner" }), "forbidden");
});

test("remove_member of oneself is forbidden for every role", async () => {
  const ada = await here.owner();
  for (const each of [await joined(ada, "owner"), await joined(ada, "admin")]) {
    expectRefusal(await each.delete(each.path), "forbidden");
    expectAnswer("get_member", await ada.get(each.path));
  }
  expectRefusal(await ada.delete(`/members/${ada.organisation.ownerId}`), "forbidden");
});

test("A person who demotes themself to member loses the use of their keys", async () => {
  const ada = await here.owner();
  const bob = await joined(ada, "admin");
  expectAnswer("change_member", await bob.patch(bob.path, { role: "member" }));
  expectRefusal(await bob.get("/members"), "unauthenticated");
  expect(await roleOf(ada, bob.id)).toBe("member");
});

test.each([
  ["demoted", (ada: Member, path: string) => ada.patch(path, { role: "member" })],
  ["removed", (ada: Member, path: string) => ada.delete(path)],
] as const)("The keys of a %s person are unauthenticated, stay listed and can be revoked", async (_what, end) => {
  const ada = await here.owner();
  const bob = await joined(ada, "admin");
  const reading = await here.another(ada, "read", bob.id);
  for (const key of [bob, reading]) expect((await key.get("/me")).status).toBe(200);
  expect((await end(ada, bob.path)).status).toBe(200);
  for (const key of [bob, reading]) expectRefusal(await key.get("/me"), "unauthenticated");
  const listed = (await ada.get("/keys")).body.data.filter((key: Json) => key.createdBy === bob.id);
  expect(listed.map((key: Json) => [key.id, key.revokedAt]).toSorted()).toEqual(
    [bob.key.id, reading.key.id].map((id) => [id, null]).toSorted(),
  );
  expect(expectAnswer("revoke_key", await ada.delete(`/keys/${bob.key.id}`)).revokedAt).not.toBeNull();
});

test("The keys of a person who becomes an admin again work again", async () => {
  const ada = await here.owner();
  const bob = await joined(ada, "admin");
  await ada.patch(bob.path, { role: "member" });
  expectRefusal(await bob.get("/me"), "unauthenticated");
  await ada.patch(bob.path, { role: "admin" });
  expect((await bob.get("/me")).body.person).toMatchObject({ userId: bob.id, role: "admin" });
});

test("In a personal organisation every member operation is forbidden, for existing and absent members", async () => {
  const ada = await here.owner("admin", { kind: "personal" });
  for (const path of [`/members/${ada.organisation.ownerId}`, `/members/${absent}`]) {
    expectRefusal(await ada.get(path), "forbidden");
    expectRefusal(await ada.patch(path, { role: "owner" }), "forbidden");
    expectRefusal(await ada.delete(path), "forbidden");
  }
  expectRefusal(await ada.get("/members"), "forbidden");
  const [row] = await here.db.sql("select role from app.memberships where person_id = $1", [ada.organisation.ownerId]);
  expect(row).toEqual({ role: "owner" });
});

test("change_member names an invalid role before it looks up the member", async () => {
  const ada = await here.owner();
  const bob = await joined(ada, "member");
  for (const body of [{ role: "root" }, { role: "Owner" }, { role: null }, { role: ["owner"] }, {}]) {
    expectRefusal(await ada.patch(bob.path, body), "invalid_request", ["body.role"]);
    expectRefusal(await ada.patch(`/members/${absent}`, body), "invalid_request", ["body.role"]);
  }
  expect(await roleOf(ada, bob.id)).toBe("member");
});

test("change_member and remove_member need no payment", async () => {
  const ada = await here.owner("admin", { billing: "none" });
  const bob = await joined(ada, "member");
  expectAnswer("change_member", await ada.patch(bob.path, { role: "admin" }));
  expectAnswer("remove_member", await ada.delete(bob.path));
});

test("change_member and remove_member change only the caller's organisation", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const bob = await joined(ada, "member");
  await here.db.sql("insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'admin')", [
    eve.organisation.id,
    bob.id,
  ]);
  expectAnswer("change_member", await ada.patch(bob.path, { role: "owner" }));
  expect(await roleOf(eve, bob.id)).toBe("admin");
  expectAnswer("remove_member", await ada.delete(bob.path));
  expect(await roleOf(eve, bob.id)).toBe("admin");
});
