/* The audit log for operators: by organisation, row and request. Hashes are left out: audit.verify_chain checks them. */
create view operator.audit_entries as
select organisation_id, id, actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id, changed,
  before, after, uuid_extract_timestamp(id) as created_at
from app.audit_log;
comment on view operator.audit_entries is $$
@primaryKey id
@behavior +query:resource:connection -query:resource:single
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName auditLog
@foreignKey (person_id) references operator.people (id)|@fieldName person|@foreignFieldName auditLog|@backwardBehavior -*
@foreignKey (organisation_id, resource_id) references operator.webhook_endpoints (organisation_id, id)|@fieldName endpoint|@foreignFieldName auditLog|@forwardBehavior -*
@foreignKey (organisation_id, resource_id) references operator.runs (organisation_id, id)|@fieldName run|@foreignFieldName auditLog|@forwardBehavior -*
@foreignKey (organisation_id, resource_id) references operator.bots (organisation_id, id)|@fieldName bot|@foreignFieldName auditLog|@forwardBehavior -*
@filters action,resource,actor,resource_id,request_id
@orders action,resource,actor
@contains operator,reason
A change of a row, with actor and request. Of names, addresses, text and secrets only the fact that they changed.$$;
grant select on operator.audit_entries to operator;
