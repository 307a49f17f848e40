/*
 * Limits that are used to 80 % or more, over all organisations. Each count reads its rows once for all of them.
 */
create view operator.reached_limits as
select used.organisation_id, used.name, maximums.label, maximums.maximum, used.used,
  rows.share(used.used, maximums.maximum) as share
from limits.used
join limits.maximums on maximums.organisation_id = used.organisation_id and maximums.name = used.name
where used.used >= 0.8 * maximums.maximum;
comment on view operator.reached_limits is $$
@primaryKey organisation_id,name
@behavior +query:resource:connection
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName reachedLimits|@backwardBehavior -*
A limit of an organisation that is used to 80 % or more.$$;
grant select on operator.reached_limits to operator;
