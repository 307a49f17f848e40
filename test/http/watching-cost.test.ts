/**
 * The cost of reading a run, in rows and not in time: the number of rows read does not grow with the
 * number of the organisation's other runs.
 */
import type { Pool } from "pg";
import { ownApiOfFile } from "../support/callers.ts";
import { watchedRun } from "../support/watched.ts";

const here = ownApiOfFile();
let executors: Pool;
let server: Pool;
beforeAll(() => {
  executors = here.db.poolAs("runner");
  server = here.db.poolAs("server");
});

/** Rows of schema app that one call reads, under a generic and a custom plan. */
async function rowsRead(credential: Buffer, operation: string, input: object): Promise<number[]> {
  const counts: number[] = [];
  for (const mode of ["force_generic_plan", "force_custom_plan"]) {
    const client = await server.connect();
    try {
      await client.query("begin");
      await client.query(`set local plan_cache_mode = ${mode}`);
      const count = `select sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0)) as read
        from pg_stat_xact_user_tables where schemaname = 'app'`;
      const before = Number((await client.query(count)).rows[0].read);
      const { rows } = await client.query("select api.handle($1, $2, $3, null, uuidv7(), null, null, null) as answer", [
        credential,
        operation,
        JSON.stringify(input),
      ]);
      expect(rows[0].answer).toMatch(/^\{"status":200/);
      counts.push(Number((await client.query(count)).rows[0].read) - before);
    } finally {
      await client.query("rollback");
      client.release();
    }
  }
  return counts;
}

test("Reading a run, its steps, messages and events reads no rows of other runs", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, executors, ada);
  const assignment = await run.begin();
  for (let step = 0; step < 3; step += 1) await run.executor.step(assignment);
  await run.executor.finish(assignment, "Deep.");
  const inputs: Record<string, object> = {
    get_run: { id: run.id },
    list_run_steps: { id: run.id, limit: 50, list: "00000000" },
    list_run_messages: { id: run.id, limit: 50, list: "00000000" },
    watch_run: { watches: [{ id: run.id, after: 0 }] },
  };
  const cost = async () => {
    const found: Record<string, number[]> = {};
    for (const [operation, input] of Object.entries(inputs)) {
      found[operation] = await rowsRead(ada.key.digest, operation, input);
    }
    return found;
  };
  const before = await cost();
  for (const counts of Object.values(before)) for (const count of counts) expect(count).toBeGreaterThan(2);

  await here.db.sql(
    `do $do$
     begin
       set local session_replication_role = replica;
       create temporary table made on commit drop as
       select organisation_id, uuidv7() as id, bot_id, conversation_id, person_id
       from app.runs, generate_series(1, 10000) where id = '${run.id}';
       insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, finished_at)
       select *, 'message', 'completed', now() from made;
       insert into app.steps (organisation_id, run_id, number, kind) select organisation_id, id, 1, 'think' from made;
       insert into app.messages (organisation_id, id, conversation_id, run_id, author, text)
       select organisation_id, id, conversation_id, id, 'bot', 'Deep.' from made;
       insert into app.run_events (organisation_id, run_id, number, state, taint, steps, spend_micro_cents)
       select organisation_id, id, 1, 'completed', false, 0, 0 from made;
       insert into app.run_events (organisation_id, run_id, number, message_id) select organisation_id, id, 2, id from made;
     end $do$`,
  );
  await here.db.sql("analyze app.runs, app.steps, app.messages, app.run_events");
  for (const [operation, counts] of Object.entries(await cost())) {
    for (const [mode, count] of counts.entries()) {
      expect([operation, Math.min(count, (before[operation]?.[mode] ?? 0) + 20)]).toEqual([operation, count]);
    }
  }
});
