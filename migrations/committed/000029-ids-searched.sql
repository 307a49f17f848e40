--! Previous: sha1:d976b6480622afd8d939eea57ea58ec7ff88b8b9
--! Hash: sha1:d3cd0c3f6b6d6c6e1dd675c81b45dd509bab0c43
--! Message: ids-searched

-- What an operator searches by its id alone. The receipt of an erasure had no index for it, and hooks one without those that
-- were deleted, which search finds too. With the organisation, as such indexes are.
create index erasures_by_id on app.erasures (id, organisation_id);
drop index app.hooks_by_address;
create index hooks_by_address on app.hooks (id, organisation_id);
