--! Previous: sha1:c6f329b5a14f8c6a6dfc460571a3490dabe9eec4
--! Hash: sha1:961733171de25abbcba842aa036f1b766e8fd6c4
--! Message: lost-secrets

-- Secrets that the master key does not open. (docs/backups.md#a-lost-master-key)

alter type app.attempt_failure add value 'secret';

alter table app.webhook_endpoints add column unreadable_since timestamptz(3);
alter table app.hooks add column unreadable_since timestamptz(3);
create index webhook_endpoints_unreadable on app.webhook_endpoints (id) where unreadable_since is not null;
create index hooks_unreadable on app.hooks (id) where unreadable_since is not null;
comment on column app.webhook_endpoints.unreadable_since is
  'When it was found that the master key does not open the secret. Null: it does, as far as known.';
comment on column app.hooks.unreadable_since is
  'When it was found that the master key does not open the secret. Null: it does, as far as known.';
