--! Previous: sha1:fe3617ba9c35ef320310457eb564c778dbba3693
--! Hash: sha1:30d71e088babbe925ce8f8dfeee10b608fc6ce7e
--! Message: expiring-keys

-- The notice before a key expires: an event kind, a mail kind, its setting, and which expiry was announced.
alter type app.event_kind add value 'key.expiring';
alter type app.mail_kind add value 'key_expiring';

alter table app.service_settings add column key_expiry_notice interval not null default '7 days'
  check (key_expiry_notice between '1 day' and '90 days');
comment on column app.service_settings.key_expiry_notice is
  'How long before its expiry a key is announced to owners and admins. A key with a shorter life is not announced.';

alter table app.api_keys add column announced_expiry timestamptz(3);
comment on column app.api_keys.announced_expiry is
  'The expires_at for which maintenance has decided on a notice. Null: not yet.';
create index api_keys_to_announce on app.api_keys (expires_at)
  where revoked_at is null and rotated_at is null and suspended_at is null and announced_expiry is distinct from expires_at;
