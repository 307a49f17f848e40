--! Previous: sha1:d8ba97ab67df50dc0dcd1e6b21dabff1fec726d6
--! Hash: sha1:0c96fe8375049712efca70721187e0994900ed0a
--! Message: portal-session-credentials

-- The credential that opened a portal session ends it. Sessions opened before have none and end with this migration.
alter table app.portal_sessions
  add column key_id uuid,
  add column operator_token_id uuid references app.operator_tokens (id),
  add foreign key (organisation_id, key_id) references app.api_keys (organisation_id, id);
create index portal_sessions_by_key on app.portal_sessions (organisation_id, key_id);
comment on column app.portal_sessions.key_id is 'The key that opened the session, which ends with it.';
create index portal_sessions_by_operator_token on app.portal_sessions (operator_token_id) where operator_token_id is not null;
comment on column app.portal_sessions.operator_token_id is 'The token of the operator who opened the session, which ends with it.';
