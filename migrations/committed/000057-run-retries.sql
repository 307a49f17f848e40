--! Previous: sha1:a09402df9894b106f67b2912ec8f16cc28cac448
--! Hash: sha1:d389ef9b5887bc6caec3c2bfdcdc3d481379ca9e
--! Message: run-retries

alter table app.runs
  add column retry_of uuid,
  add constraint runs_retry_of_fkey foreign key (organisation_id, retry_of) references app.runs (organisation_id, id) not valid;
alter table app.runs validate constraint runs_retry_of_fkey;
create index runs_of_retried on app.runs (organisation_id, retry_of) where retry_of is not null;
comment on column app.runs.retry_of is 'The ended run that this run repeats. Null: it repeats none.';
