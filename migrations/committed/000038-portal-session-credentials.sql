--! Previous: sha1:f3354987107163518a76275028d06f0fb3902e08
--! Hash: sha1:576ff2849decd900969bb46c436df2626ffe6702
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
