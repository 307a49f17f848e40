/**
 * Many memories at once, for tests of their deletion. No trigger runs, which would take most of the time: there is no
 * audit entry of the insertion, and no search finds these memories.
 */
import type { TestDatabase } from "./database.ts";

/**
 * @param organisation its id
 * @param changes number of earlier changes of all of them together
 * @param bot its id; without one they are memories of the organisation about a third party
 */
export async function insertMemories(
  db: Pick<TestDatabase, "sql">,
  {
    organisation,
    bot,
    subject,
    count,
    changes,
  }: Record<"organisation" | "subject", string> & { bot?: string } & Record<"count" | "changes", number>,
): Promise<void> {
  const [scope, subjectKind, botId] = bot
    ? ["bot", "organisation", `'${bot}'`]
    : ["organisation", "third_party", "null"];
  await db.sql(`
    begin;
    set local session_replication_role = replica;
    create temporary table inserted on commit drop as
    select uuidv7() as id, number from generate_series(1, ${count}) number;

    insert into app.memories (organisation_id, id, scope, bot_id, kind, subject, subject_kind, value, provenance, source, search_vector)
    select '${organisation}', id, '${scope}', ${botId}, 'note', '${subject}', '${subjectKind}', 'After', 'member', 'test', ''
    from inserted order by id;

    insert into app.memory_history (organisation_id, memory_id, change, scope, bot_id, subject_kind, subject_key, former)
    select memory.organisation_id, memory.id, 'updated', memory.scope, memory.bot_id, memory.subject_kind, memory.subject_key,
      to_jsonb(memory) - 'search_vector' || '{"value": "Before"}'
    from generate_series(1, ${changes}) change
    join inserted on inserted.number = 1 + change % ${count}
    join app.memories memory on memory.organisation_id = '${organisation}' and memory.id = inserted.id
    order by change;
    commit`);
}
