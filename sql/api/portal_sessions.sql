/*
 * Portal sessions. Node creates the token of the link and the secret of the cookie; the database gets their digests.
 * (docs/specification/portal.md)
 */
create function api.create_portal_session(input jsonb) returns text
language plpgsql
as $$
declare
  person constant uuid := coalesce((input ->> 'personId')::uuid, (input ->> 'userId')::uuid, caller.person_id());
  rank app.member_role;
  created uuid;
begin
  perform api_private.lock_organisation();
  perform api_private.require_current_membership(); -- a concurrent removal of the caller could not end this session
  select member.role into rank from app.memberships member where member.person_id = person;
  if rank is null then
    perform errors.refuse('not_found');
  elsif rank > caller.role() then
    perform errors.refuse('forbidden', reason => 'member_above_own');
  end if;
  insert into app.portal_sessions (organisation_id, person_id, created_by, key_id, sections, return_url, link_digest, expires_at)
  values (
    caller.organisation_id(), person, caller.person_id(), caller.key_id(),
    (select array_agg(section::app.portal_section) from jsonb_array_elements_text(nullif(input -> 'sections', 'null')) section),
    input ->> 'returnUrl',
    decode(input ->> 'linkDigest', 'hex'),
    now() + make_interval(mins => (input ->> 'expiresInMinutes')::integer)
  )
  returning id into created;
  return api.get_portal_session(jsonb_build_object('id', created));
end
$$;
grant execute on function api.create_portal_session to tenant;

-- Revoking twice changes nothing: revoked_at stays.
create function api.revoke_portal_session(input jsonb) returns text
language plpgsql
as $$
begin
  update app.portal_sessions set revoked_at = now() where id = (input ->> 'id')::uuid and revoked_at is null;
  perform errors.require_row(found or not exists (
    select from app.portal_sessions session where session.id = (input ->> 'id')::uuid and session.revoked_at is null
  ), 'forbidden');
  return api.get_portal_session(input);
end
$$;
grant execute on function api.revoke_portal_session to tenant;

create function api.open_portal(input jsonb) returns text
language plpgsql
security definer set search_path = ''
as $$
declare
  link constant uuid := caller.portal_link_id();
  opened app.portal_sessions;
begin
  perform set_config('caller.credential', 'portal_session ' || link, true); -- for the audit log
  -- The second of two calls with one link waits here, and then finds the link used.
  update app.portal_sessions session
  set opened_at = now(), session_digest = decode(input ->> 'sessionDigest', 'hex')
  where session.id = link
    and session.opened_at is null and session.revoked_at is null
    and session.link_expires_at > clock_timestamp() and session.expires_at > clock_timestamp()
  returning * into opened;
  if not exists (select from caller.portal_session(opened.session_digest)) then -- also if its key or its maker ended
    perform errors.refuse('unauthenticated');
  end if;
  return json_build_object('expiresAt', rows.time(opened.expires_at));
end
$$;
comment on function api.open_portal is 'Instead of row-level security: caller.portal_link_id() is the session, and session.opened_at is null.';
grant execute on function api.open_portal to tenant;

create function api.get_own_portal_session(input jsonb) returns text
language sql stable
as $$
  select json_build_object(
    'id', session.id,
    'organisation', (
      select json_build_object('id', organisation.id, 'name', organisation.name)
      from app.organisations organisation where organisation.id = session.organisation_id
    ),
    'person', (
      select json_build_object('id', person.id, 'name', person.display_name, 'email', person.email)
      from app.people person where person.id = session.person_id
    ),
    'role', caller.role(),
    'readOnly', session.read_only,
    'byOperator', session.created_by is null,
    'forAnother', caller.is_for_another(),
    'operations', api_private.operations_of_session(session.sections, session.read_only),
    'returnUrl', session.return_url,
    'expiresAt', rows.time(session.expires_at),
    'limits', api_private.own_limits(),
    'hasAuditStream', exists (select from app.audit_streams stream where stream.organisation_id = session.organisation_id)
  )::text
  from app.portal_sessions session
  where session.id = caller.portal_session_id()
$$;
grant execute on function api.get_own_portal_session to tenant;

create function api.end_own_portal_session(input jsonb) returns text
language plpgsql
as $$
begin
  update app.portal_sessions set revoked_at = now() where id = caller.portal_session_id() and revoked_at is null;
  return json_build_object('id', caller.portal_session_id(), 'deleted', true);
end
$$;
grant execute on function api.end_own_portal_session to tenant;
