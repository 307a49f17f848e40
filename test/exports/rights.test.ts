/** Who exports: owners, by a key of their own or in a portal session of their own. (docs/specification/exports.md#rights) */

import { toolOperations } from "../../src/mcp/offered.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { portalSessionsOf } from "../support/portal-session.ts";
import { exportAll, partOf, readPart } from "./exported.ts";

const here = apiOfFile();
const { aSession, as } = portalSessionsOf(here);

async function colleagueOf(ada: Member, role: "owner" | "admin"): Promise<Member & { personId: string }> {
  const personId = await makeMember(here.db, ada.organisation.id, role);
  return { personId, ...(await here.another(ada, "admin", personId)) };
}

test("an admin begins no export and reads none, and another owner sees its state and not its parts", async () => {
  const ada = await here.owner();
  const { id } = expectAnswer("create_export", await ada.post("/exports"));
  const max = await colleagueOf(ada, "admin");
  expectRefusal(await max.post("/exports"), "owners_only");
  expectRefusal(await partOf(max, id), "owners_only");
  expectRefusal(await max.post(`/exports/${id}/finish`), "owners_only");
  expectRefusal(await max.get(`/exports/${id}`), "not_found");
  expect((await max.get("/exports")).body.data).toEqual([]);
  const olga = await colleagueOf(ada, "owner");
  expect((await olga.get(`/exports/${id}`)).body).toMatchObject({ state: "open", personId: ada.organisation.ownerId });
  expectRefusal(await partOf(olga, id), "not_found");
  expectRefusal(await olga.post(`/exports/${id}/finish`), "not_found");
});

test("a key of scope read or write reads the exports of an owner, with their parts and manifests, and changes none", async () => {
  const ada = await here.owner();
  const { id } = await exportAll(ada);
  const { id: open } = expectAnswer("create_export", await ada.post("/exports"));
  await readPart(ada, open, 1);
  const { auditEntryId, ...finished } = expectAnswer("get_export", await ada.get(`/exports/${id}`));
  expect(auditEntryId).not.toBeNull();
  const olga = await colleagueOf(ada, "owner");
  const max = await colleagueOf(ada, "admin");
  for (const scope of ["read", "write"] as const) {
    for (const owner of [ada.organisation.ownerId, olga.personId]) {
      const key = await here.another(ada, scope, owner);
      expect(expectAnswer("get_export", await key.get(`/exports/${id}`))).toEqual({ ...finished, auditEntryId: null });
      expect(expectAnswer("list_exports", await key.get("/exports")).data).toMatchObject([
        { id: open, state: "open", parts: 1 },
        { id, manifest: finished.manifest },
      ]);
      expectRefusal(await key.post("/exports"), "unauthenticated");
      expectRefusal(await partOf(key, open), "unauthenticated");
      expectRefusal(await key.post(`/exports/${open}/finish`), "unauthenticated");
    }
    const key = await here.another(ada, scope, max.personId);
    expect(expectAnswer("list_exports", await key.get("/exports")).data).toEqual([]);
    expectRefusal(await key.get(`/exports/${id}`), "not_found");
  }
});

test("an owner who is demoted or removed between two parts gets no further part", async () => {
  const ada = await here.owner();
  const olga = await colleagueOf(ada, "owner");
  const { id } = expectAnswer("create_export", await olga.post("/exports"));
  await readPart(olga, id, 1);
  await ada.patch(`/members/${olga.personId}`, { role: "admin" });
  expectRefusal(await partOf(olga, id, 1), "owners_only");
  await ada.patch(`/members/${olga.personId}`, { role: "member" });
  expectRefusal(await partOf(olga, id, 1), "unauthenticated");
  await ada.patch(`/members/${olga.personId}`, { role: "owner" });
  await readPart(olga, id, 1);
  await ada.delete(`/members/${olga.personId}`);
  expectRefusal(await partOf(olga, id, 1), "unauthenticated");
});

test("an owner's own portal session exports, and sessions of some sections, of operators and for another person do not", async () => {
  const ada = await here.owner();
  const own = await aSession(ada);
  const { id } = (await as(own, "/exports", { method: "POST" })).body;
  expect((await as(own, `/exports/${id}/parts`, { method: "POST", body: { part: 1 } })).body.isLast).toBe(true);
  expect((await as(own, `/exports/${id}/finish`, { method: "POST" })).body.state).toBe("finished");
  const refused = async (session: Awaited<ReturnType<typeof aSession>>) => {
    const reply = await as(session, "/exports", { method: "POST" });
    expect([reply.status, reply.headers.get("x-botstead-reason")]).toEqual([403, "outside_portal_session"]);
  };
  await refused(await aSession(ada, { sections: ["overview"] }));
  const olga = await colleagueOf(ada, "owner");
  await refused(await aSession(ada, { personId: olga.personId }));
  const viewed = await aSession(ada);
  await here.db.sql(
    "update app.portal_sessions set created_by = null, operator = 'olga', key_id = null, read_only = true, operator_token_id = (select id from app.operator_tokens limit 1) where id = $1",
    [viewed.id],
  );
  const reply = await as(viewed, `/exports/${id}/parts`, { method: "POST", body: { part: 1 } });
  expect([401, 403]).toContain(reply.status);
});

test("the audit log has the beginning and the manifest of an export, which its entry and proof name", async () => {
  const ada = await here.owner();
  const { id, finished, manifest } = await exportAll(ada);
  expect(finished.auditEntryId).toBeNull();
  const { auditEntryId } = expectAnswer("get_export", await ada.get(`/exports/${id}`));
  const { data } = (await ada.get(`/audit?resource=export&resourceId=${id}`)).body;
  expect(data).toMatchObject([
    {
      id: auditEntryId,
      action: "updated",
      userId: ada.organisation.ownerId,
      after: { manifestHash: finished.manifestHash },
    },
    { action: "created", after: { personId: ada.organisation.ownerId } },
  ]);
  const { id: entry, sequence, hash } = data[1];
  expect(manifest.createdEntry).toEqual({ id: entry, sequence, hash });
});

test("agents have no tool for exports", () => {
  expect([...toolOperations.keys()].filter((name) => name.includes("export"))).toEqual([]);
});
