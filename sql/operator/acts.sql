/*
 * How an operator acts. Whoever calls a function of this schema through the console presents the digest of a token or
 * session once more, in a setting of the transaction: the function itself asks whose it is and what it may do, and goes by
 * nothing that the console says about that. A digest can't be guessed, so a forged setting opens nothing.
 * (docs/decisions.md, "The operators' console".)
 */
create function operator.present() returns app.operator_tokens
language plpgsql stable
set search_path = ''
as $$
declare
  token constant app.operator_tokens := operator.token_of(
    decode(nullif(current_setting('caller.operator_credential', true), ''), 'hex')
  );
begin
  if token.id is null then
    perform caller.refuse('unauthenticated');
  end if;
  return token;
end
$$;
comment on function operator.present is 'The live token that this transaction presents; refuses where there is none. For definer functions.';

create function operator.begin_act(
  action text, organisation uuid, subject uuid, given jsonb, reason text, least_scope app.operator_scope default 'act'
) returns void
language plpgsql
set search_path = ''
as $$
declare
  token constant app.operator_tokens := operator.present();
begin
  if token.scope < least_scope then
    perform caller.refuse('forbidden');
  end if;
  if (char_length(btrim(reason)) between 1 and 500) is not true then
    perform caller.refuse('invalid_request', '[{"path":"reason","message":"must have 1 to 500 characters"}]');
  end if;
  perform caller.be_nobody();
  perform set_config('caller.operator', token.name, true), set_config('caller.reason', btrim(reason), true);
  if not exists (select from app.organisations held where held.id = organisation) then
    perform caller.refuse('not_found');
  end if;
  perform set_config('caller.organisation_id', organisation::text, true);
  insert into app.operator_acts (organisation_id, token_id, operator, action, subject_id, arguments, reason)
  values (organisation, token.id, token.name, action, subject, coalesce(given, '{}'), btrim(reason));
end
$$;
comment on function operator.begin_act is 'Opens every act: asks for the scope and the reason, writes the act down, and sets the transaction to the one organisation. For definer functions.';

-- What an organisation administers itself is done by the operations of the API, with the rights of an admin's key and in
-- nobody's person. tenant owns it, so all policies hold.
create function operator.perform(operation text, input jsonb) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: nothing is replaced. It belongs to tenant, and owner's acts alone may call it.
begin
  perform set_config('caller.scope', 'admin', true), set_config('caller.role', 'owner', true);
  return api.dispatch(operation, input)::json;
end
$$;
comment on function operator.perform is 'Instead of row-level security: nothing, since it belongs to tenant and every policy holds it. Acts alone may call it, which have set the organisation.';

-- What an act is given as one of a few is a type of this schema: operator has no way into app, where the others lie.
do $$
begin
  execute format(
    'create type operator.billing as enum (%s); create type operator.subject as enum (%s)',
    (select string_agg(quote_literal(value), ', ' order by value) from unnest(enum_range(null::app.billing_state)) value),
    (select string_agg(quote_literal(value), ', ' order by value) from unnest(enum_range(null::app.subject_kind)) value)
  );
end
$$;

create view operator.acts as
select organisation_id, id, token_id, operator, action, subject_id, arguments, reason, created_at
from app.operator_acts;
comment on view operator.acts is $$
@primaryKey id
@behavior +query:resource:connection
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName acts
What an operator has done with an organisation, and why.$$;
