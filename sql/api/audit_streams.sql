/*
 * The stream of the caller's audit log. Node creates and seals the secret; the database cannot open it.
 * (docs/specification/audit-log.md#stream)
 */
create function api.get_audit_stream(input jsonb) returns text
language plpgsql stable
as $$
begin
  return errors.found((select row_to_json(stream)::text from rows.audit_streams stream));
end
$$;
grant execute on function api.get_audit_stream to tenant;

create function api.create_audit_stream(input jsonb) returns text
language plpgsql
as $$
begin
  insert into app.audit_streams (organisation_id, url, format, after_entry_id, after_sequence, secret_sealed)
  values (
    caller.organisation_id(), input ->> 'url', (input ->> 'format')::app.audit_stream_format, (input ->> 'afterEntryId')::uuid,
    api_private.sequence_of_entry((input ->> 'afterEntryId')::uuid), decode(input ->> 'secretSealed', 'hex')
  )
  on conflict do nothing;
  if not found then
    perform errors.refuse('conflict', reason => 'audit_stream_exists');
  end if;
  return api.get_audit_stream(input);
end
$$;
grant execute on function api.create_audit_stream to tenant;

-- The position moves back only: an entry that the receiver does not get must not be skipped by a PATCH, which is no entry.
create function api.update_audit_stream(input jsonb) returns text
language plpgsql
as $$
declare
  sequence constant bigint := api_private.sequence_of_entry((input ->> 'afterEntryId')::uuid);
  before record;
begin
  select stream.state, stream.after_sequence into before
  from app.audit_streams stream
  for no key update;
  if before is null then
    perform errors.refuse('not_found');
  elsif before.state = 'disabled' and input ->> 'state' = 'paused' then
    perform errors.refuse('conflict', reason => 'endpoint_disabled');
  elsif input ? 'afterEntryId' and sequence > before.after_sequence then
    perform errors.refuse('conflict', reason => 'entry_not_sent');
  end if;
  update app.audit_streams stream
  set
    url = coalesce(input ->> 'url', url),
    format = coalesce((input ->> 'format')::app.audit_stream_format, format),
    state = coalesce((input ->> 'state')::app.endpoint_state, state),
    after_entry_id = case when input ? 'afterEntryId' then (input ->> 'afterEntryId')::uuid else after_entry_id end,
    after_sequence = case when input ? 'afterEntryId' then sequence else after_sequence end
  where stream.organisation_id = caller.organisation_id();
  perform errors.require_row(found);
  return api.get_audit_stream(input);
end
$$;
grant execute on function api.update_audit_stream to tenant;

create function api.delete_audit_stream(input jsonb) returns text
language plpgsql
as $$
declare
  gone uuid;
begin
  delete from app.audit_streams stream where stream.organisation_id = caller.organisation_id() returning stream.id into gone;
  perform errors.require_row(found);
  return rows.deleted(jsonb_build_object('id', gone));
end
$$;
grant execute on function api.delete_audit_stream to tenant;

create function api.rotate_audit_stream_secret(input jsonb) returns text
language plpgsql
as $$
begin
  update app.audit_streams stream
  set secret_sealed = decode(input ->> 'secretSealed', 'hex')
  where stream.organisation_id = caller.organisation_id();
  perform errors.require_row(found);
  return api.get_audit_stream(input);
end
$$;
grant execute on function api.rotate_audit_stream_secret to tenant;
