--! Previous: sha1:acbf7959f636a9a2b4e9e81eaacdc4e5fda493f8
--! Hash: sha1:708157feb7ee4712be618adb066b6439ea9d5814
--! Message: fill-run-of-events

-- Locks these rows only, which nothing else changes. sql/triggers/events.sql sets the column of later events.
update app.events set run_id = (data ->> 'runId')::uuid where data ->> 'runId' is not null;
