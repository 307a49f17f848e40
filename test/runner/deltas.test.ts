/** Deltas of executors: bounds, and what is not stored. (docs/specification/executors.md#deltas) */
import type { Pool } from "pg";
import { apiOfFile } from "../support/callers.ts";
import { workInProgress } from "../support/hand-executor.ts";
import { officeOfFile } from "../support/post-office.ts";
import { openStream, watchedRun } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

let pool: Pool;
const office = officeOfFile();
const here = apiOfFile();
beforeAll(() => {
  pool = office.db.poolAs("runner");
});

const invalid: [string, number, string, string[]][] = [
  ["an empty text", 0, "", []],
  ["1,001 characters", 0, "x".repeat(1_001), []],
  ["a negative offset", -1, "x", []],
  ["more characters than an answer may have", 31_999, "xy", []],
  ["101 memories", 0, "x", Array.from({ length: 101 }, () => crypto.randomUUID())],
];

test.each(invalid)(
  "delta refuses %s with a clear error, and the lease remains",
  async (_name, after, text, memories) => {
    const { executor, run } = await workInProgress(office, pool);
    await expect(executor.delta(run, after, text, memories)).rejects.toMatchObject({
      code: "22023",
      message: expect.stringMatching(/^a (delta|preview) /),
    });
    await executor.renew(run);
  },
);

test("delta accepts 1,000 characters of any script, and the end of 32,000", async () => {
  const { executor, run } = await workInProgress(office, pool);
  for (const character of ["x", "\u0001", "€", "🎉", '"', "\\", "\n"]) {
    expect(await executor.delta(run, 31_000, character.repeat(1_000))).toBe(true);
  }
});

test("delta sends nothing that cites a deleted memory, and refuses a memory that its run may not read", async () => {
  const { executor, run, who } = await workInProgress(office, pool);
  const memory = async (more: object) =>
    (await who.ask("POST", "/memories", { kind: "fact", subject: "harbour", value: "It closes at nine.", ...more }))
      .body.id;
  const known = await memory({ scope: "organisation" });
  expect(await executor.delta(run, 0, "Nine.", [known])).toBe(true);
  expect((await who.ask("DELETE", `/memories/${known}`)).status).toBeLessThan(300);
  expect(await executor.delta(run, 0, "Nine.", [known])).toBe(false);
  const bot = (await who.ask("POST", "/bots", { name: "Bea", model: "recall" })).body.id;
  const foreign = await memory({ scope: "bot", botId: bot });
  await expect(executor.delta(run, 0, "Nine.", [foreign])).rejects.toMatchObject({ code: "22023" });
});

test("delta refuses the lease of another run, and a login that is no executor", async () => {
  const [one, other] = [await workInProgress(office, pool), await workInProgress(office, pool)];
  const mixed = { ...one.run, leaseId: other.run.leaseId };
  await expect(one.executor.delta(mixed, 0, "Nine.")).rejects.toMatchObject({ code: "OA002" });
  const moved = { ...one.run, organisationId: other.run.organisationId };
  await expect(one.executor.delta(moved, 0, "Nine.")).rejects.toMatchObject({ code: "OA002" });
  for (const role of ["server", "auditor", "operator", "worker"] as const) {
    const { organisationId, runId, leaseId } = one.run;
    const call = office.db
      .poolAs(role)
      .query("select runner.delta($1, $2, $3, 0, 'x')", [organisationId, runId, leaseId]);
    await expect(call).rejects.toMatchObject({ code: "42501" });
  }
});

/** Relations of the database with a row that contains the text. Reads as the administrator. */
async function relationsWith(text: string): Promise<string[]> {
  const relations = await here.db.sql<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind in ('r', 'm') and relpersistence <> 't' and relnamespace <> 'pg_catalog'::regnamespace`,
  );
  const found: string[] = [];
  for (const { name } of relations) {
    const rows = await here.db.sql(`select from ${name} stored where position($1 in stored::text) > 0 limit 1`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

test("no table of the database has the text of a delta after it was sent and heard, and the answer is found", async () => {
  const ada = await here.owner();
  const { id, executor, begin } = await watchedRun(here, here.db.poolAs("runner"), ada);
  const run = await begin();
  const stream = await openStream(here.api.url, id, { key: ada.key.text, deltas: true });
  await eventually(async () => {
    await executor.delta(run, 0, "preview-canary-7f3a");
    return stream.deltas.length > 0;
  });
  await executor.finish(run, "answer-canary-7f3a");
  await stream.ended;
  expect(stream.text()).toContain("preview-canary-7f3a");
  expect(await relationsWith("preview-canary-7f3a")).toEqual([]);
  expect(await relationsWith("answer-canary-7f3a")).toEqual([expect.stringMatching(/messages/)]);
});

test.each(["runner", "auditor", "operator", "worker"] as const)(
  "a login of role %s that listens to every channel it can name hears no delta",
  async (role) => {
    const { executor, run } = await workInProgress(office, pool);
    const client = await office.db.poolAs(role).connect();
    try {
      const heard: unknown[] = [];
      client.on("notification", ({ payload }) => heard.push(payload));
      for (const channel of ["botstead_runs", "botstead_run_events", "botstead_run_events_"]) {
        await client.query(`listen ${channel}`);
      }
      await executor.delta(run, 0, "preview-canary-91c2");
      await client.query("select 1");
      expect(heard.filter((each) => String(each).includes("canary"))).toEqual([]);
      await expect(client.query("select service.run_events_channel()")).rejects.toMatchObject({ code: "42501" });
    } finally {
      client.release(true);
    }
  },
);
