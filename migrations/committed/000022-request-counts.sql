--! Previous: sha1:76a3ee104eba6923bcaa4d365b9c917c81943140
--! Hash: sha1:361a9a792eba7914cdf45eba79ecc94a8ba1bf5c
--! Message: request-counts

-- What counts against an allowance of a minute, where the allowances are shared by all processes of the API.

create unlogged table app.request_counts (
  organisation_id uuid not null,
  counted_id uuid not null,
  minute timestamptz(0) not null check (date_trunc('minute', minute, 'UTC') = minute),
  requests integer not null check (requests >= 0),
  primary key (organisation_id, counted_id)
) with (fillfactor = 50); -- room for the next version of a row beside it
comment on table app.request_counts is 'How much of a minute''s allowance is used, by the clock of the database: a row each for a key, a hook and an organisation, used again every minute. What has no organisation, as a platform key, is counted under the nil id. Empty after a crash, and where RATE_LIMITS is not shared.';
comment on column app.request_counts.counted_id is 'Of the key, hook or link; of an organisation its own.';
comment on column app.request_counts.minute is 'The minute that requests is of.';
