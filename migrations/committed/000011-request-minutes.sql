--! Previous: sha1:1beb639978567ff45d16f4a286a332da83f17263
--! Hash: sha1:01fddf1f9d577f90d98cf5e3d159febd586aa2bf
--! Message: request-minutes

-- How many requests the API answered, and how, minute by minute: for whoever looks after it.

create table app.request_minutes (
  organisation_id uuid not null,
  minute timestamptz(0) not null check (date_trunc('minute', minute, 'UTC') = minute),
  answered bigint not null default 0 check (answered >= 0),
  refused bigint not null default 0 check (refused >= 0),
  limited bigint not null default 0 check (limited >= 0),
  failed bigint not null default 0 check (failed >= 0),
  primary key (organisation_id, minute)
);
create index request_minutes_by_age on app.request_minutes (minute);
comment on table app.request_minutes is 'Requests by the minute in which they were answered, by the clock of the API. What belongs to no organisation, as a refused credential, is counted under the nil id.';
comment on column app.request_minutes.answered is 'With less than 400.';
comment on column app.request_minutes.refused is 'With 400 to 499, but for 429.';
comment on column app.request_minutes.limited is 'With 429.';
comment on column app.request_minutes.failed is 'With 500 and more.';
