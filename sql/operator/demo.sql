/*
 * The demo of a first start: an organisation with an owner, a bot, and some claims for the bot to answer from.
 */
create function operator.found_demo(prefix text, digest bytea, out organisation uuid, out bot uuid)
language plpgsql
set search_path = ''
as $$
declare
  owner uuid;
begin
  organisation := operator.found_organisation('Demo', 'team', 'owner@demo.example', 'Olga Owner');
  update app.organisations set billing_state = 'active', trial_ends_at = null where id = organisation;
  select member.person_id into owner from app.memberships member where member.organisation_id = organisation;
  perform operator.insert_key(organisation, owner, 'Demo key', 'admin', 365, prefix, digest);
  insert into app.bots (organisation_id, name, instructions, owner_id)
  values (organisation, 'Ada', 'Answer from what the team has written down.', owner)
  returning id into bot;
  insert into app.memories (organisation_id, scope, bot_id, kind, subject, value, confidence, provenance, source, created_by)
  values
    (organisation, 'organisation', null, 'milestone', 'Next release', 'Version 2 ships on 12 December.', 1, 'import', 'demo', owner),
    (organisation, 'organisation', null, 'policy', 'Support hours', 'Support answers on weekdays from 8 to 18 h UTC.', 1, 'import', 'demo', owner),
    (organisation, 'bot', bot, 'preference', 'Release notes', 'Release notes are short and name every breaking change.', 0.9, 'import', 'demo', owner);
end
$$;
comment on function operator.found_demo is 'Made once, where there is no organisation yet and the database is the embedded one.';
