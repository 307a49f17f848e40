/* Current and former prices of models. */
create view operator.model_prices as
select id, model, input_micro_cents, output_micro_cents, served, reason, created_at,
  id = first_value(id) over (partition by model order by id desc) as current
from app.model_prices;
comment on view operator.model_prices is $$
@primaryKey id
@behavior +query:resource:connection
The price of a million tokens of a model since created_at, and the reason if one was given; current marks the one that applies now.$$;
grant select on operator.model_prices to operator, cli;
