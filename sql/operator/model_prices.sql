/* Prices of models, set by operators. A model without a price is not served, since its cost could not be limited. */
create function operator.set_model_price(model text, input_micro_cents bigint, output_micro_cents bigint, reason text)
returns uuid
language plpgsql
security definer set search_path = ''
as $$
declare
  priced uuid;
begin
  insert into app.model_prices (model, input_micro_cents, output_micro_cents, served, reason)
  values (model, input_micro_cents, output_micro_cents, true, reason)
  returning id into priced;
  perform operator.note_command(
    'set_model_price', null,
    jsonb_build_object('model', model, 'inputMicroCents', input_micro_cents, 'outputMicroCents', output_micro_cents), reason
  );
  return priced;
end
$$;
comment on function operator.set_model_price is 'Instead of row-level security: only cli may execute it. Sets the price per million tokens from now on, and serves the model.';
grant execute on function operator.set_model_price to cli;

create function operator.withdraw_model(model text, reason text) returns boolean
language plpgsql
security definer set search_path = ''
as $$
begin
  insert into app.model_prices (model, input_micro_cents, output_micro_cents, served, reason)
  select latest.model, latest.input_micro_cents, latest.output_micro_cents, false, withdraw_model.reason
  from (
    select price.* from app.model_prices price
    where price.model = withdraw_model.model
    order by price.id desc
    limit 1
  ) latest
  where latest.served;
  if not found then
    return false;
  end if;
  perform operator.note_command('withdraw_model', null, jsonb_build_object('model', model), reason);
  return true;
end
$$;
comment on function operator.withdraw_model is 'Instead of row-level security: only cli may execute it. New runs of the model are refused. Returns false if it was not served.';
grant execute on function operator.withdraw_model to cli;
