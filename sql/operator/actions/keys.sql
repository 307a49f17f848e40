/*
 * Acts on keys. A key is made in Node, as everywhere; its digest and its prefix come here. (Part 4, "Keys".)
 */
create function operator.revoke_key(organisation uuid, key uuid, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act; what follows is the API's, under its policies.
begin
  perform operator.begin_act('revoke_key', organisation, key, null, reason);
  return operator.perform('revoke_key', jsonb_build_object('id', key));
end
$$;
comment on function operator.revoke_key is 'Instead of row-level security: an operator''s token of scope act. At once and for good; revoking twice changes nothing.';

create function operator.mint_organisation_key(
  organisation uuid, person uuid, name text, scope app.key_scope, days integer, prefix text, digest bytea, reason text
) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for an owner or admin of the organisation.
declare
  created uuid;
begin
  perform operator.begin_act(
    'mint_key', organisation, person, jsonb_build_object('name', name, 'scope', scope, 'days', days), reason
  );
  if (char_length(name) between 1 and 60) is not true then
    perform caller.refuse('invalid_request', '[{"path":"name","message":"must have 1 to 60 characters"}]');
  end if;
  if (days between 1 and 365) is not true then
    perform caller.refuse('invalid_request', '[{"path":"days","message":"must be 1 to 365"}]');
  end if;
  if not exists (
    select from app.memberships member
    where member.organisation_id = organisation and member.person_id = person and member.role >= 'admin'
  ) then
    perform caller.refuse('not_found');
  end if;
  created := operator.insert_key(organisation, person, name, scope, days, prefix, digest);
  return operator.perform('get_key', jsonb_build_object('id', created));
end
$$;
comment on function operator.mint_organisation_key is 'Instead of row-level security: an operator''s token of scope act. A key bound to an owner or admin; not_found for anybody else.';
