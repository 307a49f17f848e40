/*
 * Deletion of an organisation: scheduled, and cancelled until it begins. Meanwhile the organisation works as before, so that its
 * owner can export it. (docs/leaving.md, sql/jobs/deletions.sql)
 */
create function operator.schedule_organisation_deletion(organisation uuid, reason text, wait_days integer default 30) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform operator.begin_action(
    'schedule_organisation_deletion', organisation, null, jsonb_build_object('waitDays', wait_days), reason
  );
  if (wait_days between 7 and 90) is not true then
    perform errors.refuse('invalid_request', '[{"path":"waitDays","message":"must be 7 to 90"}]');
  end if;
  perform operator.lock_deletion(organisation, is_scheduled => false);
  update app.organisations
  set deletion_at = now() + wait_days * interval '1 day'
  where organisations.id = organisation;
  perform errors.require_row(found, 'not_found');
  perform operator.mail_owners(organisation, 'deletion_scheduled');
  return operator.scheduled_deletion(organisation);
end
$$;
comment on function operator.schedule_organisation_deletion is 'Instead of row-level security: operator.begin_action, for a token of scope act. Deletes the organisation with all its data after 7 to 90 days. Until then it works as before. Its owners get a mail.';
grant execute on function operator.schedule_organisation_deletion to operator;

create function operator.cancel_organisation_deletion(organisation uuid, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform operator.begin_action('cancel_organisation_deletion', organisation, null, null, reason);
  perform operator.lock_deletion(organisation, is_scheduled => true);
  perform operator.mail_owners(organisation, 'deletion_cancelled');
  update app.organisations set deletion_at = null where organisations.id = organisation;
  perform errors.require_row(found, 'not_found');
  return operator.scheduled_deletion(organisation);
end
$$;
comment on function operator.cancel_organisation_deletion is 'Instead of row-level security: operator.begin_action, for a token of scope act. Cancels a scheduled deletion, until it begins. Its owners get a mail.';
grant execute on function operator.cancel_organisation_deletion to operator;

-- The lock waits for a deletion that begins. Afterwards its rows are hidden, so the next statement finds nothing.
create function operator.lock_deletion(organisation uuid, is_scheduled boolean) returns void
language plpgsql
as $$
begin
  perform limits.lock_organisation(organisation);
  if not exists (
    select from app.organisations locked where locked.id = organisation and (locked.deletion_at is not null) = is_scheduled
  ) then
    perform errors.refuse('conflict');
  end if;
end
$$;
comment on function operator.lock_deletion is 'Locks the organisation until the transaction ends. Refuses it if its deletion is not in this state. For definer functions.';

create function operator.mail_owners(organisation uuid, kind app.mail_kind) returns void
language sql
as $$
  select triggers.mail_members(owned.id, 'owner', mail_owners.kind, json_build_object('deletionAt', rows.time(owned.deletion_at)))
  from app.organisations owned
  where owned.id = organisation
$$;
comment on function operator.mail_owners is 'Queues a mail about the deletion to each owner. For definer functions.';

create function operator.scheduled_deletion(organisation uuid) returns json
language sql stable
as $$
  select json_build_object('id', organisations.id, 'deletionAt', rows.time(organisations.deletion_at))
  from app.organisations
  where organisations.id = organisation
$$;
comment on function operator.scheduled_deletion is 'When the organisation is deleted. For definer functions.';
