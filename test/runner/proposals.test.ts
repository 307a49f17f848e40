/** Proposed memories of runs; a tainted run needs an approval. (docs/specification/executors.md#proposing) */
import type { Pool } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { leased, workInProgress } from "../support/hand-executor.ts";
import { officeOfFile } from "../support/post-office.ts";
import { memoriesOfRun } from "../support/stored.ts";

let pool: Pool;
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

const memory = { scope: "organisation", kind: "policy", subject: "Harbour", value: "The harbour closes at nine." };

const atWork = (options?: { untrusted?: boolean }) => workInProgress(office, pool, options);

const memoriesOf = (run: Assignment) => memoriesOfRun(office.db, run.runId);
const approvalsOf = (run: Assignment) => office.db.sql("select * from app.approvals where run_id = $1", [run.runId]);

describe("a run that is not tainted", () => {
  test("writes a memory with the provenance of a run and without an author", async () => {
    const { run, executor, who } = await atWork();
    const { memoryId, ...rest } = await executor.propose(run, memory);
    expect(rest).toEqual({});
    expect((await who.ask("GET", `/memories/${memoryId}`)).body).toMatchObject({
      ...memory,
      botId: null,
      subjectKind: "organisation",
      confidence: 1,
      validTo: null,
      provenance: "run",
      lawfulBasis: "legitimate_interests",
    });
    expect(await memoriesOf(run)).toEqual([
      expect.objectContaining({ id: memoryId, source: "run", created_by: null, provenance: "run" }),
    ]);
    expect(await approvalsOf(run)).toEqual([]);
  });

  test("writes only for its own bot and person, with any ids", async () => {
    const { run, executor, who } = await atWork();
    const other = { botId: who.organisation.id, memberId: who.organisation.id, provenance: "member", source: "api" };
    await executor.propose(run, {
      ...memory,
      ...other,
      scope: "bot",
      validTo: "2999-01-01T00:00:00Z",
      confidence: 0.5,
    });
    await executor.propose(run, { ...memory, ...other, scope: "member", lawfulBasis: "consent" });
    const found = await memoriesOf(run);
    expect(found).toEqual([
      expect.objectContaining({ bot_id: who.bot, member_id: null, confidence: 0.5, provenance: "run", source: "run" }),
      expect.objectContaining({ bot_id: null, member_id: who.organisation.ownerId, lawful_basis: "consent" }),
    ]);
  });
});

test.each([
  ["is stored", false],
  ["requests an approval", true],
])("the same memory proposed twice in a run %s once, and a different one separately", async (_what, untrusted) => {
  const { run, executor } = await atWork({ untrusted });
  const first = await executor.propose(run, memory);
  expect(await executor.propose(run, { ...memory, confidence: 0.5 })).toEqual(first);
  for (const other of [{ scope: "bot" }, { kind: "other" }, { subject: "other" }, { value: "other" }]) {
    expect(await executor.propose(run, { ...memory, ...other })).not.toEqual(first);
  }
  expect([...(await memoriesOf(run)), ...(await approvalsOf(run))]).toHaveLength(5);
});

describe("a tainted run", () => {
  test("requests an approval instead of writing the memory, and continues", async () => {
    const { run, executor, who } = await atWork({ untrusted: true });
    const { approvalId, ...rest } = await executor.propose(run, { ...memory, botId: who.bot, confidence: 0.25 });
    expect(rest).toEqual({});
    expect(await memoriesOf(run)).toEqual([]);
    expect(await approvalsOf(run)).toEqual([
      expect.objectContaining({
        id: approvalId,
        kind: "memory",
        state: "pending",
        person_id: who.organisation.ownerId,
        question: null,
        proposal: {
          ...memory,
          subjectKind: "organisation",
          confidence: 0.25,
          validFrom: null,
          validTo: null,
          lawfulBasis: "legitimate_interests",
          supersedes: null,
        },
      }),
    ]);
    expect(await executor.finish(run)).toBe("completed");
    expect((await approvalsOf(run))[0]).toMatchObject({ state: "pending" }); // its proposal outlives it
  });

  test("has at most twenty approvals, and a conversation at most twenty pending ones", async () => {
    const { run, executor, who } = await atWork({ untrusted: true });
    const numbered = (made: number) => executor.propose(run, { ...memory, subject: `Memory ${made}` });
    for (let made = 0; made < 20; made += 1) await numbered(made);
    await expect(numbered(20)).rejects.toMatchObject({ code: "OA001", message: "quota_exceeded" });
    await executor.finish(run);
    await who.run();
    const next = await leased(executor);
    const ask = () => executor.ask(next);
    await expect(ask()).rejects.toMatchObject({ code: "OA001", message: "quota_exceeded" });
    await office.db.sql("update app.approvals set state = 'refused', answered_at = now() where id = $1", [
      (await approvalsOf(run))[0]?.id,
    ]);
    await ask();
    expect(await approvalsOf(next)).toHaveLength(1);
  });
});

const refusals: [what: string, refusal: string, memory: object][] = [
  ["a memory without a value", "invalid_request", { ...memory, value: undefined }],
  ["an empty value", "invalid_request", { ...memory, value: "" }],
  ["a value over 4,000 characters", "invalid_request", { ...memory, value: "a".repeat(4001) }],
  ["a subject over 200 characters", "invalid_request", { ...memory, subject: "a".repeat(201) }],
  ["a kind over 60 characters", "invalid_request", { ...memory, kind: "a".repeat(61) }],
  ["an unknown scope", "invalid_request", { ...memory, scope: "planet" }],
  ["no scope", "invalid_request", { ...memory, scope: undefined }],
  ["a confidence over 1", "invalid_request", { ...memory, confidence: 1.1 }],
  ["a confidence that is no number", "invalid_request", { ...memory, confidence: "NaN" }],
  ["an end that is no time", "invalid_request", { ...memory, validTo: "soon" }],
  ["an unknown legal basis", "invalid_request", { ...memory, lawfulBasis: "because" }],
  ["what may not be held about an outsider", "forbidden", { ...memory, subjectKind: "third_party", kind: "Health" }],
];

describe.each([false, true])("a run whose taint is %s", (untrusted) => {
  test.each(refusals)("is refused %s, and creates neither memory nor approval", async (_, message, invalid) => {
    const { run, executor } = await atWork({ untrusted });
    await expect(executor.propose(run, invalid)).rejects.toMatchObject({ code: "OA001", message });
    expect([await memoriesOf(run), await approvalsOf(run)]).toEqual([[], []]);
    await executor.propose(run, memory); // only the memory is refused, not the run
  });

  test("writes only about its person if that is no admin, and ends when the person leaves", async () => {
    const { run, executor, who } = await atWork({ untrusted });
    const owner = [who.organisation.id, who.organisation.ownerId];
    // Disables the trigger that keeps an owner, which does not concern this test.
    await office.db.sql(
      `with other as (insert into app.people (email) values ('other-' || uuidv7() || '@example.test') returning id)
       insert into app.memberships (organisation_id, person_id, role) select $1, id, 'owner' from other`,
      owner.slice(0, 1),
    );
    await office.db.sql(
      "update app.memberships set role = 'member' where organisation_id = $1 and person_id = $2",
      owner,
    );
    for (const scope of ["organisation", "bot"]) {
      await expect(executor.propose(run, { ...memory, scope })).rejects.toMatchObject({ message: "forbidden" });
    }
    await executor.propose(run, { ...memory, scope: "member" });
    await office.db.sql("delete from app.memberships where organisation_id = $1 and person_id = $2", owner);
    const another = { ...memory, scope: "member", value: "Another." };
    await expect(executor.propose(run, another)).rejects.toMatchObject({ message: "lease_lost" });
  });

  test("needs its current lease to propose and to ask", async () => {
    const { run, executor } = await atWork({ untrusted });
    const late = { ...run, leaseId: run.runId };
    await expect(executor.propose(late, memory)).rejects.toMatchObject({ code: "OA002" });
    await expect(executor.ask(late)).rejects.toMatchObject({ code: "OA002" });
    await executor.finish(run);
    await expect(executor.propose(run, memory)).rejects.toMatchObject({ code: "OA002" });
    await expect(executor.ask(run)).rejects.toMatchObject({ code: "OA002" });
    expect([await memoriesOf(run), await approvalsOf(run)]).toEqual([[], []]);
  });
});

describe("the provenance of a memory", () => {
  test("follows from the run, not from the proposal", async () => {
    for (const untrusted of [false, true]) {
      const { run } = await atWork({ untrusted });
      await office.db.sql(
        `insert into app.memories (organisation_id, run_id, scope, kind, subject, value, provenance, source)
         values ($1, $2, 'organisation', 'fact', 'We', 'We are.', 'member', 'app')`,
        [run.organisationId, run.runId],
      );
      expect(await memoriesOf(run)).toEqual([
        expect.objectContaining({ provenance: untrusted ? "run-tainted" : "run", source: "run" }),
      ]);
    }
  });

  test("never changes", async () => {
    const { run, executor } = await atWork();
    const tainted = await atWork({ untrusted: true });
    const { memoryId } = await executor.propose(run, memory);
    const changes = [
      ["memories", memoryId, "provenance = 'member'"],
      ["memories", memoryId, "source = 'api'"],
      ["memories", memoryId, "run_id = null"],
      ["runs", tainted.run.runId, "taint = false"],
      ["runs", run.runId, "parent_run_id = id"],
    ];
    for (const [table, id, change] of changes) {
      await expect(office.db.sql(`update app.${table} set ${change} where id = $1`, [id])).rejects.toMatchObject({
        code: "23001",
      });
    }
  });
});
