--! Previous: sha1:961733171de25abbcba842aa036f1b766e8fd6c4
--! Hash: sha1:11deaa4ba9da8ce314b5c599eb2a5fa9493b6f50
--! Message: refused-credentials

-- Credentials that were refused, per hour and address. The processes count them; service.count_refused_credentials bounds them.

create table app.refused_credentials (
  hour timestamp(0) with time zone check (date_trunc('hour', hour, 'UTC') = hour),
  address inet,
  credential_id uuid,
  prefix text check (length(prefix) in (0, 12)),
  kind text,
  reason text,
  requests bigint not null check (requests > 0),
  first_at timestamp(3) with time zone not null,
  last_at timestamp(3) with time zone not null,
  primary key (hour, address, credential_id, prefix, kind, reason)
);
comment on table app.refused_credentials is
  'Refused credentials by the hour, for 30 days. Those beyond the bounds of an hour are counted together.';
comment on column app.refused_credentials.address is
  'IPv4 address or IPv6 /64 network of the caller. 0.0.0.0/0: any, or unknown.';
comment on column app.refused_credentials.credential_id is
  'Id of the key, token, session, link or hook. The nil id if there is none.';
comment on column app.refused_credentials.prefix is
  'The first 12 characters, which are not secret, of a credential with a valid checksum; empty otherwise.';
comment on column app.refused_credentials.kind is 'What was presented.';
comment on column app.refused_credentials.reason is 'Why it was refused, as found when the counts were stored.';
