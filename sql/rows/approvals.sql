/*
 * Approval, without the digest of its link's token. (docs/specification/approvals.md)
 */
create function rows.approval_state(state app.approval_state, expires timestamptz) returns app.approval_state
language sql stable parallel safe
as $$ select case when state = 'pending' and expires <= now() then 'expired' else state end $$;
comment on function rows.approval_state is 'The state now: a pending approval past its expiry is expired, also before the row says so.';
grant execute on function rows.approval_state to tenant, operator;

-- Proposals from before these fields have none of them.
create function rows.proposed_memory(kind app.approval_kind, proposal jsonb) returns json
language sql stable parallel safe
as $$
  select case kind when 'memory' then '{"validFrom": null, "supersedes": null}' || proposal end::json
$$;
comment on function rows.proposed_memory is 'The memory that the approval proposes; null if it proposes none.';
grant execute on function rows.proposed_memory to tenant;

create view rows.approvals with (security_invoker = true) as
select
  approval.id,
  approval.run_id as "runId",
  approval.bot_id as "botId",
  approval.conversation_id as "conversationId",
  approval.kind,
  approval.question,
  approval.reason,
  rows.compact(rows.proposed_memory(approval.kind, approval.proposal)) as memory,
  rows.compact(case approval.kind when 'run' then approval.proposal end::json) as run,
  rows.approval_state(approval.state, approval.expires_at) as state,
  rows.time(approval.created_at) as "createdAt",
  rows.time(approval.expires_at) as "expiresAt",
  rows.time(approval.answered_at) as "answeredAt",
  approval.comment
from app.approvals approval;
grant select on rows.approvals to tenant;
