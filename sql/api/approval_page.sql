/*
 * The page of an approval's mailed link. The token of the link is the credential. It gives access to its approval,
 * while the person may still answer it. (docs/specification/approvals.md#answering)
 */
create function api.read_approval(input jsonb) returns text
language plpgsql stable
security definer
set search_path = ''
as $$
-- In place of row-level security: the approval whose token was presented, else none.
declare
  approval app.approvals;
begin
  select approvals.* into approval from app.approvals where approvals.id = caller.approval_id();
  perform api_private.require_approver(approval);
  return (
    select row_to_json(shown)::text
    from (
      select
        rows.approval_state(approval.state, approval.expires_at) as state,
        approval.kind,
        organisation.name as organisation,
        bot.name as bot,
        approval.question,
        approval.reason,
        case approval.kind when 'memory' then approval.proposal end as memory,
        case approval.kind when 'run' then json_build_object(
          'bot', (
            select other.name
            from app.bots other
            where other.organisation_id = approval.organisation_id and other.id = (approval.proposal ->> 'botId')::uuid
          ),
          'message', approval.proposal ->> 'message'
        ) end as run,
        run.taint,
        rows.time(run.created_at) as "startedAt",
        (
          select left(message.text, 1000)
          from app.messages message
          where message.organisation_id = approval.organisation_id and message.run_id = approval.run_id
          order by message.id
          limit 1
        ) as began,
        rows.time(approval.expires_at) as "expiresAt",
        rows.time(approval.answered_at) as "answeredAt"
      from app.organisations organisation
      join app.bots bot on bot.organisation_id = organisation.id and bot.id = approval.bot_id
      join app.runs run on run.organisation_id = organisation.id and run.id = approval.run_id
      where organisation.id = approval.organisation_id
    ) shown
  );
end
$$;
comment on function api.read_approval is 'Instead of row-level security: the token of the approval.';
grant execute on function api.read_approval to tenant;

create function api.answer_approval(input jsonb) returns text
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the token of the approval. The lock makes one of two answers count.
declare
  approval app.approvals := api_private.approval_to_answer();
begin
  perform api_private.require_approver(approval);
  if approval.state <> 'pending' or approval.expires_at <= clock_timestamp() then
    perform errors.refuse('conflict');
  end if;
  perform api_private.answer(approval, (input ->> 'answer')::app.approval_state);
  return api.read_approval(input);
end
$$;
comment on function api.answer_approval is 'Instead of row-level security: the token of the approval.';
grant execute on function api.answer_approval to tenant;
