--! Previous: sha1:04de9f776d343165f79a3dbebf1da8cbcc40bfdb
--! Hash: sha1:ccc8b50dbf60aae91abf9d7170878bd016b5dd91
--! Message: private-targets

-- WEBHOOK_ALLOW_RANGES and WEBHOOK_ALLOW_HOSTS, so that the database refuses other private targets itself.
alter table app.service_settings
  add column webhook_allow_ranges cidr[] not null default '{}' check (array_position(webhook_allow_ranges, null) is null),
  add column webhook_allow_hosts text[] not null default '{}' check (array_position(webhook_allow_hosts, null) is null);
comment on column app.service_settings.webhook_allow_ranges is
  'Private ranges that endpoints may name, from WEBHOOK_ALLOW_RANGES when the database was last migrated.';
comment on column app.service_settings.webhook_allow_hosts is
  'Names of private networks that endpoints may have, from WEBHOOK_ALLOW_HOSTS when the database was last migrated. A leading dot: all names under it.';
