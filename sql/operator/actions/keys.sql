/* Operator actions on keys. The process generates a key and passes only digest and prefix. (docs/specification/keys.md) */
create function operator.revoke_key(organisation uuid, key uuid, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform operator.begin_action('revoke_key', organisation, key, null, reason);
  return operator.perform('revoke_key', jsonb_build_object('id', key));
end
$$;
comment on function operator.revoke_key is 'Instead of row-level security: operator.begin_action, for a token of scope act. Revokes at once and permanently; revoking twice changes nothing.';
grant execute on function operator.revoke_key to operator;

create function operator.mint_organisation_key(
  organisation uuid, person uuid, name text, scope app.key_scope, days integer, prefix text, digest bytea, reason text
) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  created uuid;
begin
  perform operator.begin_action(
    'mint_key', organisation, person, jsonb_build_object('name', name, 'scope', scope, 'days', days), reason
  );
  if (char_length(name) between 1 and 60) is not true then
    perform errors.refuse('invalid_request', '[{"path":"name","message":"must have 1 to 60 characters"}]');
  end if;
  if (days between 1 and 365) is not true then
    perform errors.refuse('invalid_request', '[{"path":"days","message":"must be 1 to 365"}]');
  end if;
  perform limits.lock_organisation(organisation); -- no key for a person who is demoted or removed meanwhile
  if not exists (
    select from app.memberships member
    where member.organisation_id = organisation and member.person_id = person and member.role >= 'admin'
  ) then
    perform errors.refuse('not_found');
  end if;
  created := operator.insert_key(organisation, person, name, scope, days, prefix, digest);
  return operator.perform('get_key', jsonb_build_object('id', created));
end
$$;
comment on function operator.mint_organisation_key is 'Instead of row-level security: operator.begin_action, for a token of scope act. A key bound to an admin or owner; not_found for any other person.';
grant execute on function operator.mint_organisation_key to operator;
