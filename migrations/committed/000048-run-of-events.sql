--! Previous: sha1:2163108f6333ca46bb29ba39d2b3c6e090296c7e
--! Hash: sha1:9673b76a8b3e17514d574e8be3f80927bc436ed9
--! Message: run-of-events

-- The run of an event, for GET /events?runId=. This and the next three migrations are separate transactions, so that none blocks
-- writers for long.
alter table app.events add column run_id uuid;
comment on column app.events.run_id is 'The run in data. Null: the event is of no run.';
