--! Previous: sha1:30d71e088babbe925ce8f8dfeee10b608fc6ce7e
--! Hash: sha1:f7cac5336e5249d327451c611600667a0920b62d
--! Message: numbers-of-starts

-- Enter migration here

-- How many runs an organisation started before each, so that the starts of an hour are a difference of two rows.
alter table app.runs
  add column scripts_before integer not null default 0,
  add column routines_before integer not null default 0,
  add column webhooks_before integer not null default 0;
comment on column app.runs.scripts_before is
  'How many runs of the organisation people and scripts started before this one.';
comment on column app.runs.routines_before is
  'How many runs of the organisation routines started before this one.';
comment on column app.runs.webhooks_before is
  'How many runs of the organisation hooks started before this one.';
