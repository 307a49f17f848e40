--! Previous: sha1:ab91a73d3373dc7039d6b12316c6e4a23878ea4e
--! Hash: sha1:5c35338cf6706c30f551bbaff88148ccaef37805
--! Message: ids-searched

-- What an operator searches by its id alone. The receipt of an erasure had no index for it, and hooks one without those that
-- were deleted, which search finds too. With the organisation, as such indexes are.
create index erasures_by_id on app.erasures (id, organisation_id);
drop index app.hooks_by_address;
create index hooks_by_address on app.hooks (id, organisation_id);
