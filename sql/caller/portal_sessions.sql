/*
 * Sessions of people in the portal as credentials. (docs/specification/portal.md)
 */
create function caller.portal_session(credential bytea)
returns table (id uuid, organisation_id uuid, person_id uuid, role app.member_role, sections app.portal_section[], read_only boolean, for_another boolean, forbidden text)
language sql stable
security definer set search_path = ''
as $$
  select session.id, session.organisation_id, session.person_id, least(member.role, creator.role), session.sections, session.read_only,
    session.created_by is not null and session.created_by <> session.person_id,
    case when session.operator is null then caller.suspension(organisation.suspended_at) end -- operators view suspended ones too
  from app.portal_sessions session
  join app.memberships member
    on member.organisation_id = session.organisation_id and member.person_id = session.person_id
  -- A session reaches no more than its creator may open now, and ends with the key or the operator's token that opened it.
  left join app.memberships creator
    on creator.organisation_id = session.organisation_id and creator.person_id = session.created_by
  join app.organisations organisation on organisation.id = session.organisation_id
  where session.session_digest = credential and session.revoked_at is null and session.expires_at > now()
    and case when session.operator is null then creator.role >= 'admin' and exists (
      select from app.api_keys key
      where key.organisation_id = session.organisation_id and key.id = session.key_id
        and key.revoked_at is null and key.expires_at > now()
    ) else exists (
      select from app.operator_tokens token
      where token.id = session.operator_token_id and token.scope = 'act' and token.revoked_at is null and token.expires_at > now()
    ) end
$$;
comment on function caller.portal_session is 'Instead of row-level security: session.session_digest = credential. Returns a live session with the role of its person, at most the role of its creator. for_another: another person opened it.';
grant execute on function caller.portal_session to authenticator;

create function caller.portal_link(credential bytea) returns uuid
language sql stable
security definer set search_path = ''
as $$
  select session.id from app.portal_sessions session where session.link_digest = credential and session.opened_at is null
$$;
comment on function caller.portal_link is 'Instead of row-level security: session.link_digest = credential. Returns the id of a session whose link is unused, and nothing else.';
grant execute on function caller.portal_link to authenticator;

create function caller.scope_of_role(role app.member_role) returns app.key_scope
language sql immutable parallel safe
as $$ select case when role >= 'admin' then 'admin' else 'write' end::app.key_scope $$;
comment on function caller.scope_of_role is 'The scope of a portal session whose person has the role.';
grant execute on function caller.scope_of_role to tenant, authenticator;

create function caller.is_in_session(
  definition jsonb, sections app.portal_section[], role app.member_role, read_only boolean, for_another boolean
) returns boolean
language sql immutable parallel safe
as $$
  select definition ->> 'key_class' = 'organisation'
    and coalesce((definition ->> 'section')::app.portal_section = any (sections), definition ->> 'section' is not null)
    and (definition ->> 'scope')::app.key_scope <= caller.scope_of_role(role)
    and (definition ->> 'role')::app.member_role <= role
    and (definition ->> 'method' = 'get' or not read_only)
    and not (for_another and (definition -> 'in_person')::boolean)
$$;
comment on function caller.is_in_session is 'Whether a session reaches the operation with this definition. sections null: all.';
grant execute on function caller.is_in_session to tenant, authenticator;

/*
 * The scope of a session follows the role of its person: admin for owners and admins, write for members. A call outside of
 * the session is refused with forbidden, because the session itself is known.
 */
create function caller.authenticate_portal_session(
  credential bytea, definition jsonb, out key_id uuid, out organisation_id uuid, out forbidden text
)
language plpgsql
as $$
declare
  session record;
begin
  perform caller.clear_identity(); -- of an earlier caller of this transaction, to whose organisation a look-up is limited
  select * into session from caller.portal_session(credential);
  if session.id is null then
    return;
  end if;
  key_id := session.id;
  organisation_id := session.organisation_id;
  forbidden := coalesce(session.forbidden, case
    when definition ->> 'key_class' = 'organisation' and not caller.is_in_session(
      definition, session.sections, session.role, session.read_only, session.for_another
    ) then 'outside_portal_session'
  end);
  perform set_config('caller.organisation_id', session.organisation_id::text, true),
    set_config('caller.person_id', session.person_id::text, true),
    set_config('caller.credential', 'portal_session ' || session.id || case when session.for_another then ' for_another' else '' end, true),
    set_config('caller.scope', caller.scope_of_role(session.role)::text, true),
    set_config('caller.role', session.role::text, true);
end
$$;
comment on function caller.authenticate_portal_session is 'Finds a portal session by its digest, and sets its identity; for caller.authenticate only.';
grant execute on function caller.authenticate_portal_session to authenticator;
