/** GET /audit: the audit log as the admins of an organisation read it. */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";

const here = apiOfFile();
const newMemory = { scope: "organisation", kind: "fact", subject: "We", value: "We are." };

async function list(ada: Member, filters: Record<string, string> = {}): Promise<Json[]> {
  const reply = await ada.get(`/audit?${new URLSearchParams({ limit: "200", ...filters })}`);
  expectAnswer("list_audit", reply);
  return reply.body.data;
}

test("list_audit returns the entry with the fields of the contract and its stored hash", async () => {
  const ada = await here.owner();
  const made = await ada.post("/memories", newMemory);
  const [entry] = await list(ada);
  expect(entry).toMatchObject({
    actor: "key",
    keyId: ada.key.id,
    userId: ada.organisation.ownerId,
    operator: null,
    reason: null,
    requestId: made.headers.get("x-request-id"),
    action: "created",
    resource: "memory",
    resourceId: made.body.id,
    changed: [],
    before: null,
    after: { scope: "organisation", provenance: "member", createdBy: ada.organisation.ownerId },
  });
  const [kept] = await here.db.sql(
    "select encode(hash, 'hex') as hash, sequence::int from app.audit_log where id = $1",
    [entry.id],
  );
  expect(kept).toEqual({ hash: entry.hash, sequence: entry.sequence });
});

test("list_audit combines filters with AND", async () => {
  const ada = await here.owner();
  const first = await ada.post("/memories", newMemory);
  const second = await ada.post("/memories", newMemory);
  await ada.patch(`/memories/${first.body.id}`, { confidence: 0.5 });
  const all = await list(ada);
  expect(all.length).toBeGreaterThan(4);
  const request = second.headers.get("x-request-id") ?? "";
  const filters: Record<string, [Record<string, string>, (entry: Json) => boolean]> = {
    actor: [{ actor: "system" }, (entry) => entry.actor === "system"],
    action: [{ action: "updated" }, (entry) => entry.action === "updated"],
    resource: [{ resource: "memory" }, (entry) => entry.resource === "memory"],
    resourceId: [{ resourceId: first.body.id }, (entry) => entry.resourceId === first.body.id],
    userId: [{ userId: ada.organisation.ownerId }, (entry) => entry.userId === ada.organisation.ownerId],
    keyId: [{ keyId: ada.key.id }, (entry) => entry.keyId === ada.key.id],
    requestId: [{ requestId: request }, (entry) => entry.requestId === request],
    both: [
      { resourceId: first.body.id, action: "created" },
      (entry) => entry.resourceId === first.body.id && entry.action === "created",
    ],
  };
  for (const [name, [filter, admits]] of Object.entries(filters)) {
    const expected = all.filter(admits);
    expect([name, expected.length > 0 && expected.length < all.length]).toEqual([name, true]);
    expect([name, await list(ada, filter)]).toEqual([name, expected]);
  }
});

test("list_audit includes an entry at `since` and excludes one at `until`", async () => {
  const ada = await here.owner();
  await ada.post("/memories", newMemory);
  const all = await list(ada);
  const { createdAt } = all[0];
  expect(await list(ada, { since: createdAt })).toEqual(all.filter((entry) => entry.createdAt >= createdAt));
  expect(await list(ada, { until: createdAt })).toEqual(all.filter((entry) => entry.createdAt < createdAt));
  expect(await list(ada, { until: createdAt, resourceId: all[0].resourceId })).toEqual([]);
});

test("list_audit treats every instant up to 1970 as before all entries", async () => {
  const ada = await here.owner();
  const { body: memory } = await ada.post("/memories", newMemory);
  const all = await list(ada);
  for (const early of ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z"]) {
    expect(await list(ada, { since: early })).toEqual(all);
    expect(await list(ada, { since: early, resourceId: memory.id })).toHaveLength(1);
    expect(await list(ada, { until: early })).toEqual([]);
    expect(await list(ada, { until: early, resourceId: memory.id })).toEqual([]);
  }
});

test("list_audit returns only entries of the caller's organisation, and only to admin keys", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const { body: memory } = await ada.post("/memories", newMemory);
  expect(await list(ada, { resourceId: memory.id })).toHaveLength(1);
  expect(await list(eve, { resourceId: memory.id })).toEqual([]);
  const writer = await ada.post("/keys", { name: "CI", scope: "write" });
  expectRefusal(await here.api.call("GET", "/audit", { key: writer.body.key }), "unauthenticated");
});

test("list_audit returns invalid_request for a malformed filter", async () => {
  const ada = await here.owner();
  for (const query of ["actor=person", "action=read", "resource=secret", "userId=1", "since=yesterday"]) {
    expectRefusal(await ada.get(`/audit?${query}`), "invalid_request");
  }
});
