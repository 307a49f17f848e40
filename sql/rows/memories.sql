/*
 * Memory. Its source is stored and not shown. (Part 2, "Memory".)
 */
create view rows.memories with (security_invoker = true) as
select
  memory.id,
  memory.scope,
  memory.bot_id as "botId",
  memory.kind,
  memory.subject,
  memory.subject_kind as "subjectKind",
  memory.value,
  memory.confidence,
  rows.time(memory.valid_to) as "validTo",
  memory.provenance,
  rows.time(memory.created_at) as "createdAt",
  memory.lawful_basis as "lawfulBasis"
from app.memories memory;
