/* The stream of the audit log without its secret. (docs/specification/audit-log.md#stream) */
create view rows.audit_streams with (security_invoker = true) as
select
  stream.id,
  stream.url,
  stream.format,
  stream.state,
  stream.after_entry_id as "afterEntryId",
  stream.after_sequence as "afterSequence",
  stream.consecutive_failures as "consecutiveFailures",
  rows.time(stream.degraded_since) as "failingSince",
  rows.time(stream.unreadable_since) as "secretLostSince",
  stream.last_status_code as "lastStatusCode",
  stream.last_failure as "lastFailure",
  case when stream.state = 'active' and stream.degraded_since is not null then rows.time(stream.next_attempt_at) end as "nextAttemptAt",
  stream.disabled_reason as "disabledReason",
  rows.time(stream.disabled_at) as "disabledAt",
  rows.time(stream.created_at) as "createdAt",
  rows.time(stream.last_delivery_at) as "lastDeliveryAt"
from app.audit_streams stream;
grant select on rows.audit_streams to tenant;
