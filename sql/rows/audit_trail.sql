/*
 * An entry of the trail. Names of fields are the API's already. (sql/triggers/trailed_tables.sql)
 */
create view rows.audit_trail with (security_invoker = true) as
select
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
  entry.before,
  entry.after,
  encode(entry.hash, 'hex') as hash
from app.audit_trail entry;
