-- The operations as a constant: a look-up in the table would take five times as long in every request.
do $$
begin
  execute format(
    $function$
      create function caller.operation(name text) returns jsonb
      language sql immutable parallel safe
      as $body$ select %L::jsonb -> name $body$
    $function$,
    (
      select jsonb_object_agg(op.name, jsonb_build_object(
        'method', op.method, 'key_class', op.key_class, 'scope', op.scope, 'role', op.role, 'in_person', op.in_person,
        'stores_digest', op.stores_digest, 'status', op.status, 'section', op.section
      ))
      from api.operations op
    )
  );
end
$$;
comment on function caller.operation is 'The method, key class, scope, role, success status and portal section of an operation.';
grant execute on function caller.operation to tenant, authenticator;

create function caller.suspension(suspended_at timestamptz) returns text
language sql immutable parallel safe
as $$ select case when suspended_at is not null then 'organisation_suspended' end $$;
comment on function caller.suspension is 'The reason of a refusal if the organisation is suspended.';
grant execute on function caller.suspension to tenant, authenticator;

create function caller.authenticate_other(
  definition jsonb, credential bytea, out key_id uuid, out organisation_id uuid, out forbidden text
)
language plpgsql
as $$
declare
  key_class constant text := definition ->> 'key_class';
begin
  perform caller.clear_identity();
  if key_class = 'portal_session' then
    select * into key_id, organisation_id, forbidden from caller.authenticate_portal_session(credential, definition);
    return;
  elsif key_class = 'hook' then
    select hook.organisation_id, hook.id, caller.suspension(organisation.suspended_at)
    into organisation_id, key_id, forbidden
    from app.hooks hook
    join app.organisations organisation on organisation.id = hook.organisation_id
    where hook.secret_digest = credential;
    perform set_config('caller.organisation_id', coalesce(organisation_id::text, ''), true);
  else
    key_id := case key_class
      when 'platform' then (select key.id from app.platform_keys key where key.digest = credential)
      when 'portal_link' then caller.portal_link(credential)
      when 'authorization_code' then caller.authorization_code(credential)
      when 'invitation' then (select invitation.id from app.invitations invitation where invitation.token_digest = credential)
      when 'approval' then (select approval.id from app.approvals approval where approval.token_digest = credential)
      when 'hook_address' then (select hook.id from app.hooks hook where hook.id = encode(credential, 'hex')::uuid)
    end;
  end if;
  perform set_config(
    'caller.credential',
    coalesce(case key_class when 'platform' then 'platform_key' when 'hook_address' then 'hook' else key_class end || ' ' || key_id, ''),
    true
  );
end
$$;
comment on function caller.authenticate_other is 'Finds a credential of another class than the key of an organisation, and sets its identity; for caller.authenticate only.';
grant execute on function caller.authenticate_other to authenticator;

/*
 * Finds the identity of a credential by its digest. The refusal is the same for a credential that
 * - is unknown, revoked, expired, of another class or of a lower scope
 * - belongs to a person who is no longer an admin
 * - is a key that does not allow the caller's address.
 * If the organisation is suspended, or a portal session does not reach the operation, forbidden has the reason.
 * (docs/specification/conventions.md#credentials)
 * A process that called with the key in the last minute sets notes_use to false: reading the last use costs a tenth of a GET.
 */
create function caller.authenticate(
  credential bytea, operation text, notes_use boolean default true, address inet default null,
  out key_id uuid, out organisation_id uuid, out status smallint, out forbidden text, out at_primary boolean,
  out rate_per_minute integer
)
language plpgsql
security definer set search_path = ''
as $$
declare
  definition constant jsonb := caller.operation(operation);
  ignored text[];
begin
  status := (definition -> 'status')::smallint;
  if definition ->> 'key_class' <> 'organisation' then
    select * into key_id, organisation_id, forbidden from caller.authenticate_other(definition, credential);
    perform caller.refuse_elsewhere(credential) where key_id is null;
    return;
  end if;
  -- The same statement finds the row and sets the settings: a second one costs a tenth of a request. All
  -- settings of the identity are set or cleared, because the transaction may have served another caller before.
  select key.organisation_id, key.id, caller.suspension(key.suspended_at), key.rate_per_minute, array[
      set_config('caller.organisation_id', key.organisation_id::text, true),
      set_config('caller.person_id', key.created_by::text, true),
      set_config('caller.credential', 'key ' || key.id, true),
      set_config('caller.scope', key.scope::text, true),
      set_config('caller.role', member.role::text, true)
    ] into organisation_id, key_id, forbidden, rate_per_minute, ignored
  from app.api_keys key
  join app.memberships member -- still an admin
    on member.organisation_id = key.organisation_id and member.person_id = key.created_by
  where key.digest = credential and key.scope >= (definition ->> 'scope')::app.key_scope
    and (key.allowed_ips is null or address <<= any (key.allowed_ips));
  if not found then
    select * into key_id, organisation_id, forbidden from caller.authenticate_portal_session(credential, definition);
    perform caller.refuse_elsewhere(credential) where key_id is null;
  elsif notes_use then
    at_primary := not caller.note_use(organisation_id, key_id);
  end if;
end
$$;
comment on function caller.authenticate is 'Instead of row-level security: runs as authenticator, to which policies show only live credentials. Sets the identity of the caller for the rest of the transaction.';
grant execute on function caller.authenticate to tenant;

create function caller.note_use(organisation uuid, key uuid) returns boolean
language plpgsql
security definer set search_path = ''
as $$
begin
  if pg_is_in_recovery() then
    return false;
  end if;
  -- A row that another transaction is writing is skipped: it gets nearly the same time, and no request waits.
  with free as (
    select use.organisation_id, use.key_id
    from app.api_key_uses use
    where use.organisation_id = organisation and use.key_id = key
      and (use.last_used_at < now() - interval '1 minute') is not false
    for update skip locked
  )
  update app.api_key_uses use
  set last_used_at = now()
  from free
  where use.organisation_id = free.organisation_id and use.key_id = free.key_id;
  return true;
end
$$;
comment on function caller.note_use is 'Instead of row-level security: only authenticator may execute it, in caller.authenticate for the key just accepted. Returns false on a replica, which cannot write the use.';
grant execute on function caller.note_use to authenticator;
