--! Previous: sha1:708157feb7ee4712be618adb066b6439ea9d5814
--! Hash: sha1:cbeac1fd4fab1200910009cd8a925e735b61e080
--! Message: pools-without-channel

-- Every delivery has a job, so no worker is notified of deliveries. The columns stay for now: the definitions of version 0.3 read them
-- until those of this version follow the migration.
comment on column app.worker_pools.delivery_channel is 'Unused. Only definitions of version 0.3 read it.';
comment on column app.worker_pools.notified_until is 'Unused. Only definitions of version 0.3 read it.';
