/* The demo of a first start: an organisation with an owner, a bot, and a few memories. */
create function operator.note_demo_key(organisation uuid, person uuid, minted uuid) returns void
language sql
as $$
  select operator.note_command(
    'mint_key', minted, jsonb_build_object('name', 'Demo key', 'scope', 'admin', 'days', 365, 'person', person),
    'The first start prints a key', organisation
  )
$$;
comment on function operator.note_demo_key is 'Adds the key of the demo to the operators'' log, as minted by the start.';

create function operator.create_demo(prefix text, digest bytea, out organisation uuid, out bot uuid)
language plpgsql
as $$
declare
  owner uuid;
  minted uuid;
begin
  organisation := operator.create_organisation('Demo', 'team', 'owner@demo.example', 'Olga Owner');
  update app.organisations set billing_state = 'active', trial_ends_at = null where id = organisation;
  select member.person_id into owner from app.memberships member where member.organisation_id = organisation;
  minted := operator.insert_key(organisation, owner, 'Demo key', 'admin', 365, prefix, digest);
  perform operator.note_demo_key(organisation, owner, minted);
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
comment on function operator.create_demo is 'Called once, if the database is embedded and has no organisation yet.';

create function operator.rekey_demo(prefix text, digest bytea, out organisation uuid, out bot uuid)
language plpgsql
as $$
declare
  unseen app.api_keys;
  minted uuid;
begin
  select key.* into unseen
  from app.api_keys key
  join app.people person on person.id = key.created_by
  where key.name = 'Demo key' and key.revoked_at is null and person.email = 'owner@demo.example'
    and not exists (
      select from app.api_key_uses use
      where use.organisation_id = key.organisation_id and use.key_id = key.id and use.last_used_at is not null
    )
  order by key.id desc
  limit 1
  for no key update of key;
  if unseen.id is null then
    return;
  end if;
  update app.api_keys key set revoked_at = now() where key.organisation_id = unseen.organisation_id and key.id = unseen.id;
  organisation := unseen.organisation_id;
  minted := operator.insert_key(organisation, unseen.created_by, 'Demo key', 'admin', 365, prefix, digest);
  perform operator.note_demo_key(organisation, unseen.created_by, minted);
  select demo.id into bot from app.bots demo where demo.organisation_id = organisation order by demo.id limit 1;
end
$$;
comment on function operator.rekey_demo is 'Replaces the demo''s key if it was never used, since it may never have been printed. All null if it was used or the demo is gone.';
