--! Previous: sha1:ba57143f45089940db4ef43b693b0a6bd66126dd
--! Hash: sha1:fe3617ba9c35ef320310457eb564c778dbba3693
--! Message: key-usage

-- Enter migration here

create table app.api_key_days (
  organisation_id uuid,
  key_id uuid,
  day date,
  requests bigint not null default 0 check (requests >= 0),
  refusals bigint not null default 0 check (refusals between 0 and requests),
  primary key (organisation_id, key_id, day),
  foreign key (organisation_id, key_id) references app.api_keys (organisation_id, id)
);
create index api_key_days_by_age on app.api_key_days (day);
comment on table app.api_key_days is
  'Requests of each key per day of their response (UTC), by the clock of the API. Kept for 90 days.';
comment on column app.api_key_days.refusals is 'Status 400 to 499.';
