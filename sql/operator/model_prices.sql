/*
 * Prices of models, edited by operators. A model without a price is not served: what is not priced has no budget.
 */
create function operator.set_model_price(model text, input_micro_cents bigint, output_micro_cents bigint, reason text)
returns uuid
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the operator.
  insert into app.model_prices (model, input_micro_cents, output_micro_cents, served, reason)
  values (model, input_micro_cents, output_micro_cents, true, reason)
  returning id
$$;
comment on function operator.set_model_price is 'Instead of row-level security: the operator. From now on a million tokens cost so much, and the model is served.';

create function operator.withdraw_model(model text, reason text) returns boolean
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the operator.
  with withdrawn as (
    insert into app.model_prices (model, input_micro_cents, output_micro_cents, served, reason)
    select latest.model, latest.input_micro_cents, latest.output_micro_cents, false, withdraw_model.reason
    from (
      select price.* from app.model_prices price
      where price.model = withdraw_model.model
      order by price.id desc
      limit 1
    ) latest
    where latest.served
    returning 1
  )
  select exists (select from withdrawn)
$$;
comment on function operator.withdraw_model is 'Instead of row-level security: the operator. No new work is begun with the model; false when it was not served.';
