/*
 * Entry of the audit log. The fields in it already have the API's names. (sql/triggers/logged_tables.sql)
 */
create view rows.audit_entries with (security_invoker = true) as
select
  entry.organisation_id,
  entry.id,
  entry.sequence,
  rows.time(entry.created_at) as "createdAt",
  entry.actor,
  entry.key_id as "keyId",
  entry.person_id as "userId",
  entry.operator,
  entry.reason,
  entry.request_id as "requestId",
  entry.action,
  entry.resource,
  entry.resource_id as "resourceId",
  entry.changed,
  rows.compact(entry.before::json) as before,
  rows.compact(entry.after::json) as after,
  encode(entry.hash, 'hex') as hash
from app.audit_log entry;
comment on view rows.audit_entries is 'Entries with their organisation. A part of a stream finds them by it, and has the fields of the list.';
grant select on rows.audit_entries to tenant;

create view rows.audit_log with (security_invoker = true) as
select
  id, sequence, "createdAt", actor, "keyId", "userId", operator, reason, "requestId", action, resource, "resourceId", changed,
  before, after, hash
from rows.audit_entries;
grant select on rows.audit_log to tenant;
