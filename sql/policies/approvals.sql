/*
 * Approvals. Only the person of the conversation reads an approval; no role in the organisation gives access.
 * (docs/specification/approvals.md#visibility)
 */
create policy select_own on app.approvals
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and person_id = (select caller.private_person_id())
    and bot_id in (select bot.id from app.bots bot) -- bots' own policy decides
  );
comment on policy select_own on app.approvals is
  'The approvals for the caller, of bots that the caller sees.';

grant select (
  organisation_id, id, run_id, bot_id, conversation_id, person_id, kind, question, reason, proposal, state, created_at,
  expires_at, answered_at, comment
) on app.approvals to tenant;
-- Not granted: select of token_digest, and any write. Only executors raise approvals, and no API key answers one.
