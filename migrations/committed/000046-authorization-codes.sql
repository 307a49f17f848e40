--! Previous: sha1:1f5e4d38dd5f168350ce8e4ad35c18d274ac4a66
--! Hash: sha1:50bc0e26faba98338eb7b1dc146d4da5b7992ff6
--! Message: authorization-codes

-- Authorization codes: a person's consent to a client, until the client exchanges it for an API key.
create table app.authorization_codes (
  organisation_id uuid,
  id uuid default uuidv7(),
  portal_session_id uuid not null,
  digest bytea not null check (octet_length(digest) = 32),
  client_id text not null check (char_length(client_id) <= 2048 and client_id ~ '^https://[^/?#[:space:]]+/[^#[:space:]]+$'),
  key_name text not null check (char_length(key_name) between 1 and 60),
  redirect_uri text not null check (
    char_length(redirect_uri) <= 2048
    and redirect_uri ~ '^(https://[^/?#@[:space:]]+|http://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?)([/?][^#[:space:]]*)?$'
  ),
  code_challenge text not null check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  resource text not null check (char_length(resource) between 1 and 2048),
  scope app.key_scope not null,
  key_days integer not null check (key_days between 1 and 365),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null default now() + interval '60 seconds',
  key_id uuid,
  check (expires_at - created_at <= interval '61 seconds'),
  primary key (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (organisation_id, portal_session_id) references app.portal_sessions (organisation_id, id) on delete cascade,
  foreign key (organisation_id, key_id) references app.api_keys (organisation_id, id)
);
create unique index authorization_codes_by_digest on app.authorization_codes (digest);
create index authorization_codes_by_session on app.authorization_codes (organisation_id, portal_session_id);
create index authorization_codes_by_key on app.authorization_codes (organisation_id, key_id) where key_id is not null;
create index authorization_codes_by_expiry on app.authorization_codes (expires_at);
comment on table app.authorization_codes is
  'Consents of people to MCP clients. A client exchanges the code once, within 60 seconds, for an API key.';
comment on column app.authorization_codes.portal_session_id is 'The session in which the person consented. The code ends with it.';
comment on column app.authorization_codes.digest is 'SHA-256 of the code. Node makes the code; the database never sees it.';
comment on column app.authorization_codes.client_id is 'Address of the metadata document of the client.';
comment on column app.authorization_codes.key_name is 'The name of the key: that of the client, with its host.';
comment on column app.authorization_codes.redirect_uri is 'Where the browser took the code.';
comment on column app.authorization_codes.code_challenge is 'SHA-256 of the PKCE verifier, in base64url.';
comment on column app.authorization_codes.resource is 'The address of the MCP server for which the client asked.';
comment on column app.authorization_codes.key_days is 'How long the key lives.';
comment on column app.authorization_codes.key_id is 'The key. Null until the exchange.';
