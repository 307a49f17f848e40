/** What a run costs at the end of a long conversation, in an organisation that has written down much: what it costs at the beginning. */
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { plansOf, tellPlans } from "../support/plans.ts";

const executor = "01890000-0000-7000-8000-0000000000ec";
const tables = ["messages", "runs", "memories"];
const asked = { runs: 2_000, claims: 5_000 };

let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
  const { id, ownerId } = await makeOrganisation(db);
  await db.sql(`
    insert into app.executors (id, name, models) values ('${executor}', 'plans', '{recall}');
    insert into app.bots (organisation_id, name, owner_id) values ('${id}', 'Ada', '${ownerId}');
    insert into app.conversations (organisation_id, bot_id, person_id)
    select organisation_id, id, '${ownerId}' from app.bots;
    begin;
    set local session_replication_role = replica;
    create temporary table made as
    select talk.organisation_id, talk.bot_id, talk.id as conversation_id, talk.person_id, number,
      uuidv7(number * interval '-1 minute') as id
    from app.conversations talk, generate_series(${asked.runs}, 1, -1) number;
    insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, finished_at)
    select organisation_id, id, bot_id, conversation_id, person_id, 'api',
      (case number when 1 then 'queued' else 'completed' end)::app.run_state, case when number > 1 then now() end
    from made;
    insert into app.messages (organisation_id, id, conversation_id, run_id, author, text)
    select organisation_id, uuidv7(number * interval '-1 minute' + place * interval '1 second'), conversation_id, id,
      (array['person', 'bot']::app.message_author[])[place], 'w' || number
    from made, generate_series(1, 2) place where number > 1 or place = 1;
    update app.conversations talk set next_run_id = made.id, next_model = 'recall' from made where made.number = 1;
    insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, search)
    select '${id}', 'organisation', 'fact', 'We', 'We keep w' || number, 'member', 'app', search.vector('english', 'We', 'fact', 'We keep w' || number)
    from generate_series(1, ${asked.claims}) number;
    commit;
    drop table made;
    analyze app.messages, app.runs, app.memories`);
  await tellPlans(db);
});
afterAll(() => db.drop());

test.each([
  ["planned for all values", "force_generic_plan"],
  ["planned for those that are asked", "force_custom_plan"],
] as const)("%s", async (_, mode) => {
  let claimed = { messages: [] as unknown[] };
  let recalled: unknown[] = [];
  const plans = await plansOf(
    db,
    "runner",
    mode,
    async (client) => {
      const { rows } = await client.query("select runner.claim($1) as run", [executor]);
      claimed = rows[0].run;
      const { organisationId, runId, leaseId } = rows[0].run;
      const found = await client.query("select runner.recall($1, $2, $3, 'What is w4711?') as claims", [
        organisationId,
        runId,
        leaseId,
      ]);
      recalled = found.rows[0].claims;
    },
    tables,
  );
  expect(claimed.messages).toHaveLength(50);
  expect(recalled).toHaveLength(1);
  // Of each of fifty messages the row and its run.
  expect(plans.reduce((sum, plan) => sum + plan.rows, 0)).toBeLessThan(200);
});
