--! Previous: sha1:7e0840088628c0df4e57ac35a29ce03dd777457c
--! Hash: sha1:acbf7959f636a9a2b4e9e81eaacdc4e5fda493f8
--! Message: index-of-events-by-run

-- Attaches the indexes of the partitions.
create index events_of_run on app.events (organisation_id, run_id, position, id) where run_id is not null;
