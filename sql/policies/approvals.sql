/*
 * Cards. What a run asks of a person is that person's to read, as their conversation is: nobody else in the organisation
 * does, whatever their role. (decisions: section 4.)
 */
create policy select_own on app.approvals
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and person_id = (select caller.person_id())
    and bot_id in (select bot.id from app.bots bot) -- bots' own policy decides
  );
comment on policy select_own on app.approvals is
  'What runs ask of the caller, of bots that the caller sees.';

grant select (
  organisation_id, id, run_id, bot_id, conversation_id, person_id, kind, question, reason, proposal, state, created_at,
  expires_at, answered_at
) on app.approvals to tenant;
-- No select of token_digest, and no write: an API key answers no card, and only an executor raises one.
