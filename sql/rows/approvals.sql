/*
 * Approval, without the digest of its link's token. (docs/specification/approvals.md)
 */
create function rows.approval_state(state app.approval_state, expires timestamptz) returns app.approval_state
language sql stable parallel safe
as $$ select case when state = 'pending' and expires <= now() then 'expired' else state end $$;
comment on function rows.approval_state is 'The state now: a pending approval past its expiry is expired, also before the row says so.';
grant execute on function rows.approval_state to tenant, operator;

create view rows.approvals with (security_invoker = true) as
select
  approval.id,
  approval.run_id as "runId",
  approval.bot_id as "botId",
  approval.conversation_id as "conversationId",
  approval.kind,
  approval.question,
  approval.reason,
  rows.compact(case approval.kind when 'memory' then approval.proposal end::json) as memory,
  rows.compact(case approval.kind when 'run' then approval.proposal end::json) as run,
  rows.approval_state(approval.state, approval.expires_at) as state,
  rows.time(approval.created_at) as "createdAt",
  rows.time(approval.expires_at) as "expiresAt",
  rows.time(approval.answered_at) as "answeredAt",
  approval.comment
from app.approvals approval;
grant select on rows.approvals to tenant;
