--! Previous: sha1:d5b134fad16bcb807e0981b4dd90f4c3ab2cfe46
--! Hash: sha1:6101d9840f5a437e69daf207fca890b1255dd959
--! Message: notified-deliveries

-- Enter migration here

alter table app.worker_pools
  add column delivery_channel text,
  add column notified_until timestamptz;
comment on column app.worker_pools.delivery_channel is
  'The session listens here for deliveries to idle endpoints. A random name, because every login can listen to a channel that it knows.';
comment on column app.worker_pools.notified_until is
  'Set together with the channel. The session moves it every 10 seconds, so that a worker that hangs is no longer notified.';
