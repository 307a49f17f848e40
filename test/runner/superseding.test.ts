/** Runs that replace memories, and what a run finds of memories in conflict. (docs/specification/executors.md#proposing) */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Json } from "../support/api.ts";
import { linkOf, press } from "../support/approvals.ts";
import { makeMember } from "../support/database.ts";
import { workInProgress } from "../support/hand-executor.ts";
import { officeOfFile } from "../support/post-office.ts";

let pool: Pool;
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

const memory = { scope: "organisation", kind: "policy", subject: "Harbour", value: "The harbour closes at nine." };
const proposal = { ...memory, value: "The harbour closes at ten." };
type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; body: Json }>;

const atWork = (options?: { untrusted?: boolean }) => workInProgress(office, pool, options);
const create = async (ask: Ask, more: object = {}): Promise<Json> =>
  (await ask("POST", "/memories", { ...memory, ...more })).body;
const read = async (ask: Ask, id: string): Promise<Json> => (await ask("GET", `/memories/${id}`)).body;

test("an untainted run replaces a memory, from the time that it proposes, and once", async () => {
  const { run, executor, who } = await atWork();
  const { id } = await create(who.ask);
  const proposed = { ...proposal, supersedes: id, validFrom: "2999-01-01T00:00:00+01:00" };
  const made = await executor.propose(run, proposed);
  expect(await executor.propose(run, proposed)).toEqual(made);
  expect(await read(who.ask, made.memoryId ?? "")).toMatchObject({
    supersedes: id,
    validFrom: "2998-12-31T23:00:00.000Z",
    provenance: "run",
  });
  expect(await read(who.ask, id)).toMatchObject({ supersededBy: made.memoryId, validTo: "2998-12-31T23:00:00.000Z" });
});

test.each([false, true])(
  "a text that is proposed again to replace a memory is another proposal (untrusted: %s)",
  async (untrusted) => {
    const { run, executor, who } = await atWork({ untrusted });
    const { id } = await create(who.ask);
    const alone = await executor.propose(run, proposal);
    const replacing = await executor.propose(run, { ...proposal, supersedes: id });
    expect(replacing).not.toEqual(alone);
    expect(await executor.propose(run, { ...proposal, supersedes: id })).toEqual(replacing);
    if (!untrusted) expect((await read(who.ask, id)).supersededBy).toBe(replacing.memoryId);
  },
);

test("a tainted run replaces nothing before the person approves, and its memory stays tainted", async () => {
  const { run, executor, who } = await atWork({ untrusted: true });
  const { id, ...former } = await create(who.ask);
  const { approvalId = "" } = await executor.propose(run, { ...proposal, supersedes: id });
  expect(await read(who.ask, id)).toEqual({ id, ...former });
  const approval = (await who.ask("GET", `/approvals/${approvalId}`)).body;
  expect(approval.memory).toMatchObject({ supersedes: id, validFrom: null });
  const token = await linkOf(office.db, approvalId);
  const page = await (await fetch(`${office.api.url}/approval/${token}`)).text();
  expect(page).toContain(`It would replace the memory <code>${id}</code>`);
  expect((await press(office.api, token, "approved")).status).toBe(200);
  const ended = await read(who.ask, id);
  expect(ended.validTo).not.toBeNull();
  expect(await read(who.ask, ended.supersededBy)).toMatchObject({ supersedes: id, provenance: "run-tainted" });
});

test("an approval is refused with 409 after its memory was replaced, and nothing is written", async () => {
  const { run, executor, who } = await atWork({ untrusted: true });
  const { id } = await create(who.ask);
  const { approvalId = "" } = await executor.propose(run, { ...proposal, supersedes: id });
  const other = await create(who.ask, { value: "Never.", supersedes: id });
  const token = await linkOf(office.db, approvalId);
  const page = await press(office.api, token, "approved");
  expect(page.status).toBe(409);
  expect((await who.ask("GET", `/approvals/${approvalId}`)).body.state).toBe("pending");
  expect((await read(who.ask, id)).supersededBy).toBe(other.id);
  expect((await press(office.api, token, "refused")).status).toBe(200);
});

test.each([false, true])(
  "a run whose taint is %s replaces no memory that it cannot find, or that has ended",
  async (untrusted) => {
    const { run, executor, who } = await atWork({ untrusted });
    const other = await atWork();
    const colleague = await makeMember(office.db, who.organisation.id, "member");
    const [theirs] = await office.db.sql<{ id: string }>(
      `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source)
     values ($1, 'member', $2, 'policy', 'Harbour', 'Secret', 'member', 'app') returning id`,
      [who.organisation.id, colleague],
    );
    const second = (await who.ask("POST", "/bots", { name: "Second" })).body.id;
    const hidden = [
      (await create(other.who.ask)).id,
      theirs?.id,
      (await create(who.ask, { scope: "bot", botId: second })).id,
      randomUUID(),
    ];
    const refused = (message: string, more: object) =>
      expect(executor.propose(run, { ...proposal, ...more })).rejects.toMatchObject({ code: "OA001", message });
    for (const supersedes of hidden) await refused("not_found", { supersedes });
    const ended = await create(who.ask, { validTo: "2001-01-01T00:00:00Z" });
    await refused("conflict", { supersedes: ended.id });
    await refused("conflict", { scope: "bot", supersedes: (await create(who.ask)).id });
    const { id } = await create(who.ask);
    for (const other of [{ subject: "Pier" }, { kind: "fact" }, { subjectKind: "third_party" }])
      await refused("conflict", { ...other, supersedes: id });
    await refused("invalid_request", { supersedes: "ada" });
    await refused("invalid_request", { validFrom: "soon" });
    await refused("invalid_request", { validFrom: "2999-01-01T00:00:00Z", validTo: "2999-01-01T00:00:00Z" });
    const written = await office.db.sql("select from app.memories where run_id = $1", [run.runId]);
    const raised = await office.db.sql("select from app.approvals where run_id = $1", [run.runId]);
    expect([written, raised]).toEqual([[], []]);
  },
);

test("a search returns both memories in conflict, the newest first, and leaves out what is not valid now", async () => {
  const { run, executor, who } = await atWork();
  const { id, createdAt } = await create(who.ask);
  await create(who.ask, { value: "The harbour closes at eleven.", validFrom: "2999-01-01T00:00:00Z" });
  const other = await create(who.ask, {
    kind: "Policy",
    value: "At ten.",
    validFrom: "2020-01-01T00:00:00Z",
    confidence: 0.5,
  });
  const [found, ...others] = await executor.searchMemories(run, "closes");
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    ...{ id, createdAt, validFrom: null },
    conflictsWith: [
      {
        id: other.id,
        value: "At ten.",
        confidence: 0.5,
        createdAt: other.createdAt,
        validFrom: "2020-01-01T00:00:00.000Z",
      },
    ],
  });
  await who.ask("DELETE", `/memories/${other.id}`);
  expect((await executor.searchMemories(run, "closes"))[0]?.conflictsWith).toEqual([]);
});
