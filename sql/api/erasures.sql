/*
 * Erasure of all data about a subject. (docs/specification/memories.md#erasure)
 */
create function api.erase_memories(input jsonb) returns text
language sql
as $$
  select row_to_json(receipt)::text
  from (
    select erased.id, rows.time(erased.erased_at) as "erasedAt", erased.memories, erased.history, erased.proposals,
      erased.answers, erased.complete, array['messages', 'steps', 'approvals', 'bots', 'routines', 'backups'] as "notSearched"
    from erasure.erase((input ->> 'subjectKind')::app.subject_kind, names.spelled(input ->> 'subject')) erased
  ) receipt
$$;
grant execute on function api.erase_memories to tenant;
