--! Previous: sha1:fd98a0f86c4a15e26f6b0c8fc965d2564344e354
--! Hash: sha1:ee2eafa63aaa3ac7f2badb1a3a53810eecd7d6b9
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
