/*
 * Refuses invalid e-mail addresses and URLs of endpoints when they are written.
 * (docs/specification/conventions.md#e-mail-addresses, docs/specification/webhooks.md#url-rules)
 */
create function triggers.refuse_invalid_address() returns trigger
language plpgsql
as $$
begin
  if names.is_email(new.email) is not true then
    perform errors.refuse('invalid_request', '[{"path": "email", "message": "must be an e-mail address"}]');
  end if;
  return new;
end
$$;
comment on function triggers.refuse_invalid_address is 'Refuses an invalid e-mail address.';

create trigger _050_refuse_invalid_address before insert on app.people
  for each row execute function triggers.refuse_invalid_address();
create trigger _050_refuse_invalid_address_later before update on app.people
  for each row when (old.email is distinct from new.email) execute function triggers.refuse_invalid_address();
create trigger _050_refuse_invalid_address before insert on app.invitations
  for each row execute function triggers.refuse_invalid_address();
create trigger _050_refuse_invalid_address_later before update on app.invitations
  for each row when (old.email is distinct from new.email) execute function triggers.refuse_invalid_address();

create function triggers.refuse_invalid_url() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  if names.is_endpoint_url(new.url) is not true then
    perform errors.refuse('invalid_request', '[{"path": "body.url", "message": "must be an https URL with a host name"}]');
  end if;
  if (
    select names.is_private_host(names.host_of(new.url), settings.webhook_allow_ranges, settings.webhook_allow_hosts)
    from app.service_settings settings
  ) then
    perform errors.refuse(
      'invalid_request',
      '[{"path": "body.url", "message": "must not point to this machine, a private network or a private address"}]'
    );
  end if;
  return new;
end
$$;
comment on function triggers.refuse_invalid_url is 'Instead of row-level security: reads app.service_settings only, which has no organisation. Refuses a URL that is invalid or names a private host.';

create trigger _050_refuse_invalid_url before insert on app.webhook_endpoints
  for each row execute function triggers.refuse_invalid_url();
create trigger _050_refuse_invalid_url_later before update on app.webhook_endpoints
  for each row when (old.url is distinct from new.url) execute function triggers.refuse_invalid_url();
create trigger _050_refuse_invalid_url before insert on app.audit_streams
  for each row execute function triggers.refuse_invalid_url();
create trigger _050_refuse_invalid_url_later before update on app.audit_streams
  for each row when (old.url is distinct from new.url) execute function triggers.refuse_invalid_url();
