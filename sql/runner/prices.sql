/* Prices of models. The executor reports model and tokens; the price table decides what they cost. */
create function runner.latest_price(wanted text) returns app.model_prices
language sql stable
as $$
  select price
  from app.model_prices price
  where price.model = wanted
  order by price.id desc
  limit 1
$$;
comment on function runner.latest_price is 'The current price of a model; null if it has none.';

create function runner.priced_models() returns text[]
language sql stable
security definer set search_path = ''
as $$
  select coalesce(array_agg(latest.model order by latest.model), '{}')
  from (
    select distinct on (price.model) price.model, price.served
    from app.model_prices price
    order by price.model, price.id desc
  ) latest
  where latest.served
$$;
comment on function runner.priced_models is 'Instead of row-level security: only executor may execute it. Prices belong to no tenant. Models that have a price and are not withdrawn.';
grant execute on function runner.priced_models to executor;

create function runner.price_of(wanted text, input_tokens integer, output_tokens integer) returns bigint
language plpgsql stable
as $$
declare
  price app.model_prices := runner.latest_price(wanted);
begin
  if price.id is null then
    raise exception using errcode = '22023', message = 'the model has no price';
  end if;
  return ceil(
    (price.input_micro_cents::numeric * input_tokens + price.output_micro_cents::numeric * output_tokens) / 1000000
  );
end
$$;
comment on function runner.price_of is 'The cost of these tokens of a model in micro-cents, rounded up.';
