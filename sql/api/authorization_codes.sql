/*
 * Consent to an MCP client, and the exchange of its code. No role of callers reads or writes the table: the first two functions do.
 * Node creates code and key; the database gets their digests. (docs/specification/oauth.md)
 */
create function api.create_authorization_code(input jsonb) returns text
language plpgsql
security definer set search_path = ''
as $$
declare
  session app.portal_sessions;
  created app.authorization_codes;
begin
  perform limits.lock_organisation(caller.organisation_id());
  select opened.* into session from app.portal_sessions opened where opened.id = caller.portal_session_id();
  if caller.is_in_session(
    caller.operation('create_key'), session.sections, caller.role(), session.read_only, caller.is_for_another()
  ) is not true then
    perform errors.refuse('forbidden', reason => 'outside_portal_session');
  end if;
  insert into app.authorization_codes (
    organisation_id, portal_session_id, digest, client_id, key_name, redirect_uri, code_challenge, resource, scope, key_days
  )
  values (
    session.organisation_id, session.id, decode(input ->> 'codeDigest', 'hex'), input ->> 'clientId', input ->> 'keyName',
    input ->> 'redirectUri', input ->> 'codeChallenge', input ->> 'resource', (input ->> 'scope')::app.key_scope,
    (input ->> 'expiresInDays')::integer
  )
  returning * into created;
  return json_build_object('expiresAt', rows.time(created.expires_at));
end
$$;
comment on function api.create_authorization_code is 'Instead of row-level security: caller.is_in_session, for the operation create_key in the session caller.portal_session_id(). A portal session that may create keys creates a code for its own organisation and person.';
grant execute on function api.create_authorization_code to tenant;

-- An error is an answer and no refusal where something was written, which a refusal would undo.
create function api.exchange_authorization_code(input jsonb) returns text
language plpgsql
security definer set search_path = ''
as $$
declare
  code constant app.authorization_codes := api_private.locked_code();
  created app.api_keys;
begin
  if api_private.proves_code(code, input) is not true then
    return json_build_object('error', 'invalid_grant');
  elsif code.resource is distinct from input ->> 'resource' then
    return json_build_object('error', 'invalid_target');
  elsif code.key_id is not null then
    perform api_private.revoke_keys_of_code(code);
    return json_build_object('error', 'invalid_grant');
  elsif code.expires_at <= clock_timestamp() or not api_private.set_identity_of_consent(code) then
    return json_build_object('error', 'invalid_grant');
  end if;
  insert into app.api_keys (organisation_id, name, prefix, digest, scope, created_by, expires_at, allowed_ips)
  values (
    code.organisation_id, code.key_name, input ->> 'prefix', decode(input ->> 'digest', 'hex'), code.scope, caller.person_id(),
    now() + make_interval(days => code.key_days), api_private.within_own_ips(null, 'body')
  )
  returning * into created;
  update app.authorization_codes codes
  set key_id = created.id
  where codes.organisation_id = code.organisation_id and codes.id = code.id;
  return json_build_object('scope', created.scope, 'expiresAt', rows.time(created.expires_at));
end
$$;
comment on function api.exchange_authorization_code is 'Instead of row-level security: api_private.locked_code, for the client that proves the code of the request, and api_private.set_identity_of_consent. Once, and for a person who may still create keys.';
grant execute on function api.exchange_authorization_code to tenant;

create function api.revoke_own_key(input jsonb) returns text
language plpgsql
security definer set search_path = ''
as $$
begin
  update app.api_keys
  set revoked_at = now()
  where organisation_id = caller.organisation_id() and id = caller.key_id() and revoked_at is null;
  return '{}';
end
$$;
comment on function api.revoke_own_key is 'Instead of row-level security: id = caller.key_id(), with any scope.';
grant execute on function api.revoke_own_key to tenant;
