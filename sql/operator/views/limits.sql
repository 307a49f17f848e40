/*
 * Limits of an organisation and their use.
 */
create view operator.limits as
select organisation.id as organisation_id, own.name, own.position, own.unit, own.label, own.maximum, own.used,
  rows.share(own.used, own.maximum) as share
from app.organisations organisation
cross join lateral limits.of_organisation(organisation.id) own;
comment on view operator.limits is $$
@primaryKey organisation_id,name
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName limits
The maximum (null: no limit), the use, and the share that is used.$$;
grant select on operator.limits to operator;

create view operator.monthly_usage as
select organisation_id, month, spend_micro_cents
from app.monthly_usage;
comment on view operator.monthly_usage is $$
@primaryKey organisation_id,month
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName monthlyUsage
What runs spent in a calendar month (UTC).$$;
grant select on operator.monthly_usage to operator;
