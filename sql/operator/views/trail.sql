/*
 * The trail, as operators read it: an organisation's, one thing's, and what one request did. Not the hashes, which are for
 * whoever verifies the chain (audit.verify_chain).
 */
create view operator.trail_entries as
select organisation_id, id, actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id, changed,
  before, after, uuid_extract_timestamp(id) as created_at
from app.audit_trail;
comment on view operator.trail_entries is $$
@primaryKey id
@behavior +query:resource:connection -query:resource:single
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName trail
@foreignKey (person_id) references operator.people (id)|@fieldName person|@foreignFieldName trail|@backwardBehavior -*
@foreignKey (organisation_id, resource_id) references operator.webhook_endpoints (organisation_id, id)|@fieldName endpoint|@foreignFieldName trail|@forwardBehavior -*
@foreignKey (organisation_id, resource_id) references operator.runs (organisation_id, id)|@fieldName run|@foreignFieldName trail|@forwardBehavior -*
@foreignKey (organisation_id, resource_id) references operator.bots (organisation_id, id)|@fieldName bot|@foreignFieldName trail|@forwardBehavior -*
What became of a row of an organisation, by whom, and in which request. Of names, addresses, words and secrets only that they changed.$$;
comment on column operator.trail_entries.request_id is '@behavior +condition:attribute:filterBy';
