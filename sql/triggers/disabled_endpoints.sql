/*
 * An endpoint that is disabled is silent from then on, and nobody looks at what is silent: so those who can do something
 * about it are told by mail, once each time. (Part 6, rule 5; decisions: section 4.)
 */
create function triggers.tg_webhook_endpoints__tell_admins() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes to those who run the organisation of the endpoint being written.
begin
  insert into app.mails (organisation_id, kind, recipient, data)
  select member.organisation_id, 'endpoint_disabled', person.email,
    json_build_object(
      'organisation', organisation.name,
      'webhookId', new.id,
      'host', rows.host_of(new.url),
      'description', new.description,
      'reason', new.disabled_reason,
      'disabledAt', rows.time(new.disabled_at),
      'lastDeliveryAt', rows.time(new.last_delivery_at),
      -- What failed may have been made before the last one that arrived: it was hours on the ladder. A day is left to
      -- whoever reads this, before what is asked for is no longer kept.
      'failedSince', rows.time(least(
        new.disabled_at,
        greatest(new.created_at, new.last_delivery_at - interval '1 day', caller.kept_since() + interval '1 day')
      ))
    )
  from app.memberships member
  join app.people person on person.id = member.person_id
  join app.organisations organisation on organisation.id = member.organisation_id
  where member.organisation_id = new.organisation_id and member.role in ('owner', 'admin');
  return null;
end
$$;
comment on function triggers.tg_webhook_endpoints__tell_admins is 'Instead of row-level security: writes to those who run the organisation of the endpoint being written.';

create trigger _500_tell_admins after update on app.webhook_endpoints
  for each row when (old.state <> 'disabled' and new.state = 'disabled' and new.deleted_at is null)
  execute function triggers.tg_webhook_endpoints__tell_admins();
