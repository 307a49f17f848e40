/* The exchange of an authorization code for a key. For definer functions. (docs/specification/oauth.md#exchange) */
create function api_private.locked_code() returns app.authorization_codes
language plpgsql
as $$
declare
  code app.authorization_codes;
begin
  -- The organisation first, as everywhere. The second of two exchanges waits here, and then finds the code used.
  perform limits.lock_organisation(found.organisation_id)
  from app.authorization_codes found where found.id = caller.authorization_code_id();
  select codes.* into code
  from app.authorization_codes codes
  where codes.id = caller.authorization_code_id()
  for no key update;
  return code;
end
$$;
comment on function api_private.locked_code is 'The authorization code of the request, locked after its organisation.';

create function api_private.proves_code(code app.authorization_codes, input jsonb) returns boolean
language sql immutable
as $$
  select code.client_id = input ->> 'clientId' and code.redirect_uri = input ->> 'redirectUri'
    and code.code_challenge = translate(
      rtrim(encode(sha256(convert_to(input ->> 'codeVerifier', 'UTF8')), 'base64'), '='), '+/', '-_'
    )
$$;
comment on function api_private.proves_code is 'Whether the caller is the client that began the request: the same client and redirect address, and the PKCE verifier.';

create function api_private.revoke_keys_of_code(code app.authorization_codes) returns void
language plpgsql
as $$
begin
  perform set_config('caller.credential', 'system', true); -- for the audit log: no person revokes the keys
  update app.api_keys
  set revoked_at = now()
  where organisation_id = code.organisation_id and id = any (code.later_key_ids || code.key_id) and revoked_at is null;
end
$$;
comment on function api_private.revoke_keys_of_code is 'Ends the key of a code that is exchanged again, and the keys that replaced it, because the code and its verifier are in other hands.';

create function api_private.follow_rotation(old uuid, created uuid) returns void
language sql
security definer set search_path = ''
as $$
  update app.authorization_codes
  set later_key_ids = later_key_ids || created
  where organisation_id = caller.organisation_id() and (key_id = old or old = any (later_key_ids))
$$;
comment on function api_private.follow_rotation is 'Instead of row-level security: organisation_id = caller.organisation_id(). Records that the key of a code was replaced, and reads nothing.';
grant execute on function api_private.follow_rotation to tenant;

create function api_private.set_identity_of_consent(code app.authorization_codes) returns boolean
language plpgsql
as $$
declare
  session record;
begin
  select live.* into session
  from app.portal_sessions opened, caller.portal_session(opened.session_digest) live
  where opened.organisation_id = code.organisation_id and opened.id = code.portal_session_id;
  if session.forbidden is not null or caller.is_in_session(
    caller.operation('create_key'), session.sections, session.role, session.read_only, session.for_another
  ) is not true then
    return false;
  end if;
  perform set_config('caller.organisation_id', session.organisation_id::text, true),
    set_config('caller.person_id', session.person_id::text, true),
    set_config('caller.credential', 'portal_session ' || session.id, true),
    set_config('caller.scope', 'admin', true),
    set_config('caller.role', session.role::text, true);
  return true;
end
$$;
comment on function api_private.set_identity_of_consent is 'Sets the identity of the session in which a person consented, if that session may still create keys.';
