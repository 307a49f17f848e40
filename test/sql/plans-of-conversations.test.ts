/** A run in a long conversation of an organisation with many bots and memories reads as few rows as a run in a new one. */
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { logPlans, plansOf, rowsOf } from "../support/plans.ts";

const executor = "01890000-0000-7000-8000-0000000000ec";
const tables = ["messages", "runs", "memories"];
const size = { runs: 2_000, memories: 5_000 };

let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
  const { id, ownerId } = await makeOrganisation(db);
  await db.sql(`
    insert into app.executors (id, name, models) values ('${executor}', 'plans', '{recall}');
    insert into app.bots (organisation_id, name, owner_id) values ('${id}', 'Ada', '${ownerId}');
    insert into app.conversations (organisation_id, bot_id, person_id)
    select organisation_id, id, '${ownerId}' from app.bots;
    insert into app.bots (organisation_id, name, owner_id) select '${id}', 'Other ' || number, '${ownerId}' from generate_series(1, 50) number;
    begin;
    set local session_replication_role = replica;
    create temporary table made as
    select talk.organisation_id, talk.bot_id, talk.id as conversation_id, talk.person_id, number,
      uuidv7(number * interval '-1 minute') as id
    from app.conversations talk, generate_series(${size.runs}, 1, -1) number;
    insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, finished_at)
    select organisation_id, id, case number when 1 then bot_id else others[1 + number % 50] end, conversation_id, person_id, 'api',
      (case number when 1 then 'queued' else 'completed' end)::app.run_state, case when number > 1 then now() end
    from made, (select array_agg(id) as others from app.bots where name <> 'Ada') other;
    insert into app.messages (organisation_id, id, conversation_id, run_id, author, text)
    select organisation_id, uuidv7(number * interval '-1 minute' + place * interval '1 second'), conversation_id, id,
      (array['person', 'bot']::app.message_author[])[place], 'w' || number
    from made, generate_series(1, 2) place where number > 1 or place = 1;
    update app.conversations talk set next_run_id = made.id, next_model = 'recall', next_since = uuid_extract_timestamp(made.id) from made where made.number = 1;
    insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, search_vector)
    select '${id}', 'organisation', 'fact', 'We ' || number, 'We keep w' || number, 'member', 'app', search.vector('english', 'We', 'fact', 'We keep w' || number)
    from generate_series(1, ${size.memories}) number;
    commit;
    drop table made;
    analyze app.messages, app.runs, app.memories`);
  await logPlans(db);
});
afterAll(() => db.drop());

test.each([
  ["a generic plan reads few rows", "force_generic_plan"],
  ["a custom plan reads few rows", "force_custom_plan"],
] as const)("%s", async (_, mode) => {
  let leased = { messages: [] as unknown[] };
  let memories: unknown[] = [];
  const plans = await plansOf(
    db,
    "runner",
    mode,
    async (client) => {
      const { rows } = await client.query("select runner.lease_run($1) as run", [executor]);
      leased = rows[0].run;
      const { organisationId, runId, leaseId } = rows[0].run;
      const found = await client.query("select runner.search_memories($1, $2, $3, 'What is w4711?') as memories", [
        organisationId,
        runId,
        leaseId,
      ]);
      memories = found.rows[0].memories;
    },
    tables,
  );
  expect(leased.messages).toHaveLength(50);
  expect(memories).toHaveLength(1);
  // For each of 50 messages, its row and its run.
  expect(rowsOf(plans.flatMap(({ reads }) => reads))).toBeLessThan(200);
});
