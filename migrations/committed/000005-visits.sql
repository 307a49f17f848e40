--! Previous: sha1:6adcae7960bb32db054c1658c872adb42bb59657
--! Hash: sha1:79fe304b6871505132dd53775fe961fb0d629791
--! Message: visits

-- Deliveries are made by visits to endpoints, and who may have how many under way is counted. (docs/decisions.md,
-- "Visits".)

alter table app.service_settings
  add column delivery_slots integer not null default 100 check (delivery_slots between 4 and 10000),
  add column delivery_share_of_organisation integer not null default 40 check (delivery_share_of_organisation > 0),
  add column delivery_share_of_endpoint integer not null default 10 check (delivery_share_of_endpoint > 0);
comment on column app.service_settings.delivery_slots is 'Deliveries under way at once, of all workers together. The last quarter is for endpoints at which nothing is under way; half at most is for endpoints in trouble.';
comment on column app.service_settings.delivery_share_of_organisation is 'Of the slots; an endpoint at which nothing is under way is served beyond it.';
comment on column app.service_settings.delivery_share_of_endpoint is 'Of the slots; one alone while the last attempt at the endpoint has failed.';

create table app.sweep (
  singleton boolean primary key default true check (singleton),
  swept_at timestamptz(3) not null default now()
);
comment on table app.sweep is 'One row: when jobs.sweep was last made, by the database''s clock. A clock that is behind it was set back.';
insert into app.sweep default values;

-- What was queued so far named a delivery each. Whatever is pending gets a visit by the next sweep.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    delete from graphile_worker._private_jobs job
    using graphile_worker._private_tasks task
    where task.id = job.task_id and task.identifier = 'deliver_webhook';
  end if;
end
$$;
