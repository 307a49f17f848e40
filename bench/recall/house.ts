/** An organisation with a bot at work, so that runner.recall is asked just as an executor asks it. */
import type { Client } from "pg";

export type Working = { organisation: string; run: string; lease: string };

/** @param admin an administrator's connection, in which triggers work as ever */
export async function startWorking(admin: Client, runner: Client, name: string, language: string): Promise<Working> {
  const one = async (text: string, values: unknown[]): Promise<string> =>
    (await admin.query<{ id: string }>(text, values)).rows[0]?.id ?? "";
  const organisation = await one("select operator.found_organisation($1, 'team', $2, 'Olga') as id", [
    name,
    `recall.${name}.${Date.now()}@example.test`,
  ]);
  await admin.query("update app.organisations set billing_state = 'active', language = $2 where id = $1", [
    organisation,
    language,
  ]);
  const model = `recall ${organisation}`;
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
  const { rows } = await runner.query("select runner.claim($1) as claim", [executor]);
  const { runId, leaseId } = rows[0].claim;
  await runner.query("select runner.renew($1, $2, $3, interval '1 hour')", [organisation, runId, leaseId]);
  return { organisation, run: runId, lease: leaseId };
}

/** The ids of what is recalled, best first. */
export async function recall(
  runner: Client,
  { organisation, run, lease }: Working,
  question: string,
): Promise<string[]> {
  const { rows } = await runner.query({
    name: "recall",
    text: "select runner.recall($1, $2, $3, $4, 5) as claims",
    values: [organisation, run, lease, question],
  });
  return rows[0].claims.map((claim: { id: string }) => claim.id);
}

/**
 * Plain full text over the same claims, as one writes it with what PostgreSQL brings: any of the question's words, by
 * ts_rank_cd, with the same index and no walls.
 */
export async function plain(
  admin: Client,
  organisation: string,
  language: string,
  question: string,
): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>({
    name: "plain",
    text: `select memory.id
       from app.memories memory,
         (select replace(plainto_tsquery($2::regconfig, $3)::text, '&', '|')::tsquery as words) asked
       where memory.organisation_id = $1
         and search.keyed(memory.organisation_id, memory.search) @@ search.keyed($1, asked.words)
       order by ts_rank_cd(memory.search, asked.words) desc, memory.id desc
       limit 5`,
    values: [organisation, language, question],
  });
  return rows.map(({ id }) => id);
}
