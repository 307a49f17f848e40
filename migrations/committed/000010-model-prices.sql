--! Previous: sha1:95af263662dc4957f16c7de585ce69dd74755a4b
--! Hash: sha1:1beb639978567ff45d16f4a286a332da83f17263
--! Message: model-prices

-- What a model's tokens cost, as operators say; and which claims a run has written, found without reading all others.

create table app.model_prices (
  id uuid primary key default uuidv7(),
  model text not null check (char_length(model) between 1 and 100 and model <> 'recall'),
  input_micro_cents bigint not null check (input_micro_cents between 0 and 1000000000000),
  output_micro_cents bigint not null check (output_micro_cents between 0 and 1000000000000),
  served boolean not null,
  reason text not null check (char_length(reason) between 1 and 500),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored
);
create index model_prices_latest on app.model_prices (model, id desc);
comment on table app.model_prices is 'Prices of models, each with the reason for it. The latest of a model counts; nothing is changed or removed, so that what was spent can be explained.';
comment on column app.model_prices.model is 'As a bot names it, and as the service is asked for it. recall is built in and costs nothing.';
comment on column app.model_prices.input_micro_cents is 'For a million tokens.';
comment on column app.model_prices.output_micro_cents is 'For a million tokens.';
comment on column app.model_prices.served is 'False: no new work is begun with it. What is under way is priced all the same.';

create index memories_of_run on app.memories (organisation_id, run_id) where run_id is not null;
