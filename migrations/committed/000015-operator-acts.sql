--! Previous: sha1:a8266674f2c7d5a162e16a1430e676791562db06
--! Hash: sha1:61c2a11c8695f0bd2f59abb0ecd2825938983310
--! Message: operator-acts

-- What operators do in the console: each act with its reason; organisations that are suspended; and subjects that an
-- operator has erased.

alter table app.organisations add column suspended_at timestamptz(3);
comment on column app.organisations.suspended_at is 'Since when an operator has suspended it: its keys are refused and its runs wait. Null while it is not.';
alter table app.api_keys add column suspended_at timestamptz(3);
comment on column app.api_keys.suspended_at is 'As of its organisation, while the key is live: every call reads it here.';

create table app.operator_acts (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  token_id uuid not null references app.operator_tokens (id),
  operator text not null check (char_length(operator) between 1 and 60),
  action text not null check (char_length(action) between 1 and 60),
  subject_id uuid,
  arguments jsonb not null,
  reason text not null check (char_length(reason) between 1 and 500),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  primary key (organisation_id, id)
);
comment on table app.operator_acts is 'What operators have done with an organisation in the console, and why. Only ever added to, in the transaction of the act.';
comment on column app.operator_acts.operator is 'The name of the token, as it was.';
comment on column app.operator_acts.subject_id is 'The row of the organisation that the act is about; null when it is the organisation itself.';
comment on column app.operator_acts.arguments is 'What the act was given, without secrets and without the names of people.';

alter table app.erasures
  alter column erased_by drop not null,
  alter column key_id drop not null,
  add column operator text check (char_length(operator) between 1 and 60),
  add check ((erased_by is null) = (key_id is null)),
  add check ((erased_by is null) = (operator is not null));
comment on column app.erasures.operator is 'The operator who erased, where it was nobody of the organisation.';
