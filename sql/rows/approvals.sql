/*
 * Approval: what is asked, and what came of it. Never the link's token, nor its digest. (decisions: section 4.)
 */
create function rows.approval_state(state app.approval_state, expires timestamptz) returns app.approval_state
language sql stable parallel safe
as $$ select case when state = 'pending' and expires <= now() then 'expired' else state end $$;
comment on function rows.approval_state is 'The state as time has it: what nobody answered in time is expired, also before anybody has written that down.';

create view rows.approvals with (security_invoker = true) as
select
  approval.id,
  approval.run_id as "runId",
  approval.bot_id as "botId",
  approval.conversation_id as "conversationId",
  approval.kind,
  approval.question,
  approval.reason,
  case approval.kind when 'memory' then approval.proposal end as memory,
  case approval.kind when 'run' then approval.proposal end as run,
  rows.approval_state(approval.state, approval.expires_at) as state,
  rows.time(approval.created_at) as "createdAt",
  rows.time(approval.expires_at) as "expiresAt",
  rows.time(approval.answered_at) as "answeredAt"
from app.approvals approval;
