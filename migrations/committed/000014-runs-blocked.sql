--! Previous: sha1:f49bbfe0e7d67113214595854363610170e9c887
--! Hash: sha1:a8266674f2c7d5a162e16a1430e676791562db06
--! Message: runs-blocked

-- Runs that a bot has blocked, for whoever counts them: few, and found nowhere else without reading all runs.

create index runs_blocked on app.runs (organisation_id, id) where state = 'blocked';
