/** Creates an organisation with a leased run, so that runner.search_memories is called as an executor calls it. */
import type { Client } from "pg";

export type LeasedRun = { organisation: string; run: string; lease: string };

/** @param admin an administrator's connection with triggers enabled */
export async function leaseRun(admin: Client, runner: Client, name: string, language: string): Promise<LeasedRun> {
  const one = async (text: string, values: unknown[]): Promise<string> =>
    (await admin.query<{ id: string }>(text, values)).rows[0]?.id ?? "";
  const organisation = await one("select operator.create_organisation($1, 'team', $2, 'Olga') as id", [
    name,
    `search.${name}.${Date.now()}@example.test`,
  ]);
  await admin.query("update app.organisations set billing_state = 'active', language = $2 where id = $1", [
    organisation,
    language,
  ]);
  const model = `search ${organisation}`;
  const executor = await one(
    "insert into app.executors (id, name, models) values (gen_random_uuid(), 'bench', array[$1]) returning id",
    [model],
  );
  await one(
    `with owner as (
       select person_id from app.memberships where organisation_id = $1
     ), bot as (
       insert into app.bots (organisation_id, name, model, owner_id) select $1, 'Ada', $2, person_id from owner returning id
     ), conversation as (
       insert into app.conversations (organisation_id, bot_id, person_id)
       select $1, bot.id, person_id from bot, owner returning id
     ), run as (
       insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger)
       select $1, bot.id, conversation.id, person_id, 'api' from bot, conversation, owner returning id, conversation_id
     )
     insert into app.messages (organisation_id, conversation_id, run_id, author, text)
     select $1, conversation_id, id, 'person', 'Hello' from run returning id`,
    [organisation, model],
  );
  const { rows } = await runner.query("select runner.lease_run($1) as run", [executor]);
  const { runId, leaseId } = rows[0].run;
  await runner.query("select runner.renew($1, $2, $3, interval '1 hour')", [organisation, runId, leaseId]);
  return { organisation, run: runId, lease: leaseId };
}
