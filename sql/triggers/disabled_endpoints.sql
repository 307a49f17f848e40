/*
 * A disabled endpoint receives nothing, which is easy to overlook. So owners and admins get a mail, once each time.
 * (docs/specification/webhooks.md#states)
 */
create function triggers.tg_webhook_endpoints__mail_admins() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform triggers.mail_members(
    new.organisation_id, 'admin', 'endpoint_disabled',
    json_build_object(
      'webhookId', new.id,
      'host', rows.host_of(new.url),
      'description', new.description,
      'reason', new.disabled_reason,
      'disabledAt', rows.time(new.disabled_at),
      'lastDeliveryAt', rows.time(new.last_delivery_at),
      -- A failed delivery may be older than the last one that arrived, by the hours of its retry schedule. The reader
      -- has a day before retention removes what this time asks for.
      'failedSince', rows.time(least(
        new.disabled_at,
        greatest(new.created_at, new.last_delivery_at - interval '1 day', service.kept_since() + interval '1 day')
      ))
    )
  );
  return null;
end
$$;
comment on function triggers.tg_webhook_endpoints__mail_admins is 'Instead of row-level security: triggers.mail_members, for new.organisation_id. Mails owners and admins that the endpoint was disabled.';

create trigger _500_mail_admins after update on app.webhook_endpoints
  for each row when (old.state <> 'disabled' and new.state = 'disabled' and new.deleted_at is null)
  execute function triggers.tg_webhook_endpoints__mail_admins();
