/** Runs of the time before what happened to them was kept: it is told as far as their rows tell it. */
import { migrate } from "../../src/database/migrate.ts";
import { databaseBefore, dropDatabase, sharedServer } from "../support/migrated.ts";
import { query } from "../support/query.ts";

const server = sharedServer();
let url: string;

beforeAll(async () => {
  url = await databaseBefore(server, "000008");
});
afterAll(() => dropDatabase(server, url));

test("a run that was queued, its steps, what was said and asked, and how it stands; and numbers go on behind them", async () => {
  await query(
    url,
    `with organisation as (insert into app.organisations (name) values ('Before') returning id),
     person as (insert into app.people (email) values ('ada@example.test') returning id),
     bot as (
       insert into app.bots (organisation_id, name, owner_id) select organisation.id, 'Ada', person.id
       from organisation, person returning organisation_id, id, owner_id
     ),
     conversation as (
       insert into app.conversations (organisation_id, bot_id, person_id) select organisation_id, id, owner_id from bot
       returning organisation_id, bot_id, person_id, id
     ),
     run as (
       insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, steps,
         spend_micro_cents, working_since)
       select organisation_id, uuidv7(nth * interval '1 second'), bot_id, id, person_id, 'api',
         (array['waiting_approval', 'queued'])[nth]::app.run_state, 2 * (2 - nth), 7 * (2 - nth), null
       from conversation, generate_series(1, 2) nth
       returning organisation_id, id, conversation_id, bot_id, person_id, steps
     ),
     said as (
       insert into app.messages (organisation_id, id, conversation_id, run_id, author, text)
       select organisation_id, uuidv7(interval '3 minutes'), conversation_id, id, author, 'Hello' from run,
         unnest(array['person', 'bot']::app.message_author[]) author
       where steps > 0
     ),
     asked as (
       insert into app.approvals (organisation_id, id, run_id, conversation_id, bot_id, person_id, kind, question, reason,
         expires_at)
       select organisation_id, uuidv7(interval '4 minutes'), id, conversation_id, bot_id, person_id, 'question', 'May I?',
         'It is not mine.', 'infinity'
       from run where steps > 0
     )
     insert into app.steps (organisation_id, run_id, number, kind, created_at)
     select organisation_id, id, number, 'think', now() + number * interval '1 minute'
     from run, generate_series(1, steps) number`,
  );
  await migrate({ adminUrl: url, key: server.key, rebuild: false });

  const told = `
    select event.number, coalesce(event.state::text, 'step ' || event.step_number, left(message.author::text, 3),
      approval.question) as what, event.steps
    from app.run_events event
    join app.runs run on run.id = event.run_id
    left join app.messages message on message.id = event.message_id
    left join app.approvals approval on approval.id = event.approval_id
    where (run.steps > 0) = $1
    order by event.number`;
  expect((await query<{ what: string }>(url, told, [true])).map(({ what }) => what)).toEqual([
    "queued",
    "step 1",
    "step 2",
    "bot",
    "May I?",
    "waiting_approval",
  ]);
  await query(url, "update app.runs set state = 'cancelled' where steps = 0");
  expect(await query(url, told, [false])).toEqual([
    { number: 1, what: "queued", steps: 0 },
    { number: 2, what: "cancelled", steps: 0 },
  ]);
});
