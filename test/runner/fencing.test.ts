/**
 * Lease fencing: every function for executors refuses an ended lease and changes nothing, however the lease ended. The
 * functions come from the catalogue, so that none is missed.
 */
import type { Pool } from "pg";
import { expireLease, handExecutor, leased, type Workplace, workplace } from "../support/hand-executor.ts";
import { officeOfFile } from "../support/post-office.ts";

let pool: Pool;
let functions: { name: string; names: string[]; types: string[] }[];
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner");
  functions = await office.db.sql(
    `select proname as name, coalesce(proargnames[1:pronargs], '{}') as names,
       array(select format_type(type, null) from unnest(proargtypes) with ordinality as given (type, place) order by place)
         as types
     from pg_proc
     where pronamespace = 'runner'::regnamespace and has_function_privilege('runner', oid, 'execute')
     order by proname`,
  );
});

/** Functions without a run: heartbeat, lease and model lists of an executor. */
const ofTheExecutor = ["deregister", "heartbeat", "lease_run", "priced_models"];
/** A valid value for each type of argument. */
const admitted: Record<string, string> = {
  text: "'What now?'",
  integer: "1",
  bigint: "1",
  interval: "'1 minute'",
  jsonb: "'{}'",
  json: "'{}'",
  boolean: "true",
  uuid: "uuidv7()",
  "uuid[]": "'{}'",
  "text[]": "'{}'",
  "app.run_error": "'internal'",
};

test("every function for executors requires a run and its lease, except the executor's own functions", () => {
  const rest = functions.filter(({ names }) => names.slice(0, 3).join() !== "organisation,run,lease");
  expect(rest.map(({ name }) => name)).toEqual(ofTheExecutor);
  expect(functions.length - rest.length).toBeGreaterThanOrEqual(6);
});

/** Ways in which a lease ends without the knowledge of its executor. */
const ends: Record<string, (at: Workplace, id: string) => Promise<unknown>> = {
  "expired, and was not released yet": (_at, id) =>
    office.db.sql("update app.runs set lease_until = clock_timestamp() where id = $1", [id]),
  "went to another": async (at, id) => {
    await expireLease(office.db, id);
    const other = await handExecutor(office.db, pool, [at.model]);
    expect((await leased(other)).runId).toBe(id);
  },
  "ended with its run": (at, id) => at.who.ask("POST", `/runs/${id}/cancel`),
  "ended while the run waits for a person": (_at, id) =>
    office.db.sql("update app.runs set state = 'waiting_approval' where id = $1", [id]),
};

/** All rows of a run. */
const everything = (id: string) =>
  office.db.sql(
    `select row_to_json(run) as run,
       (select json_agg(step order by step.number) from app.steps step where step.run_id = run.id) as steps,
       (select json_agg(message order by message.id) from app.messages message where message.run_id = run.id) as messages,
       (select count(*) from app.memories) as memories,
       (select count(*) from app.approvals) as approvals,
       (select count(*) from app.runs) as runs,
       (select sum(spend_micro_cents) from app.monthly_usage) as spent
     from app.runs run where run.id = $1`,
    [id],
  );

test.each(Object.keys(ends))("every function refuses a lease that %s", async (end) => {
  const at = await workplace(office, pool);
  const id = await at.who.run();
  const { organisationId, runId, leaseId } = await leased(at.executor);
  await ends[end]?.(at, id);
  const before = await everything(id);
  for (const { name, types } of functions.filter(({ name }) => !ofTheExecutor.includes(name))) {
    const values = types.slice(3).map((type) => admitted[type] ?? `there is nothing here for ${type}`);
    const call = `select runner.${name}(${["$1", "$2", "$3", ...values].join()})`;
    const error = await pool.query(call, [organisationId, runId, leaseId]).then(
      () => ({ code: "no error" }),
      (refused: { code: string }) => refused,
    );
    expect([name, error.code]).toEqual([name, "OA002"]);
  }
  expect(await everything(id)).toEqual(before);
});

test("every function accepts the current lease", async () => {
  const at = await workplace(office, pool);
  for (const { name, types } of functions.filter(({ name }) => !ofTheExecutor.includes(name))) {
    await at.who.run();
    const { organisationId, runId, leaseId } = await leased(at.executor);
    const values = types.slice(3).map((type) => admitted[type]);
    const call = `select runner.${name}(${["$1", "$2", "$3", ...values].join()})`;
    const error = await pool.query(call, [organisationId, runId, leaseId]).then(
      () => ({ code: "no error" }),
      (refused: { code: string }) => refused,
    );
    expect([name, error.code]).not.toEqual([name, "OA002"]);
    await at.who.ask("POST", `/runs/${runId}/cancel`);
  }
});
