--! Previous: sha1:361a9a792eba7914cdf45eba79ecc94a8ba1bf5c
--! Hash: sha1:3cc881535c5ae4677f2f29ad1b2ae84bd7b0bc04
--! Message: ids-with-organisations

-- Of each of these tables a row can be looked up by its id alone, as operators do. Without the organisation in the index the
-- planner may take it for a tenant's call too, find another organisation's row there, read it, and only then refuse it: what
-- time could tell from a row that never was. With it, what is another's is not found.
drop index app.api_keys_by_id;
create index api_keys_by_id on app.api_keys (id, organisation_id);
drop index app.bots_by_id;
create index bots_by_id on app.bots (id, organisation_id);
drop index app.conversations_by_id;
create index conversations_by_id on app.conversations (id, organisation_id);
drop index app.webhook_endpoints_by_id;
create index webhook_endpoints_by_id on app.webhook_endpoints (id, organisation_id);
drop index app.invitations_by_id;
create index invitations_by_id on app.invitations (id, organisation_id);
drop index app.approvals_by_id;
create index approvals_by_id on app.approvals (id, organisation_id);
drop index app.routines_by_id;
create index routines_by_id on app.routines (id, organisation_id);
drop index app.mails_by_id;
create index mails_by_id on app.mails (id, organisation_id);
drop index app.memberships_by_id;
create index memberships_by_id on app.memberships (id, organisation_id);
drop index app.hooks_by_address;
create index hooks_by_address on app.hooks (id, organisation_id) where deleted_at is null;
drop index app.memberships_by_person;
create index memberships_by_person on app.memberships (person_id, organisation_id);
