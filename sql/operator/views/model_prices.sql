/*
 * What models cost, and have cost.
 */
create view operator.model_prices as
select id, model, input_micro_cents, output_micro_cents, served, reason, created_at,
  id = first_value(id) over (partition by model order by id desc) as current
from app.model_prices;
comment on view operator.model_prices is $$
@primaryKey id
@behavior +query:resource:connection
What a million tokens of a model cost from when it was said, and why; current says which counts now.$$;
