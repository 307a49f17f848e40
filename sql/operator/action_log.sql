/*
 * Operator actions. The console repeats the digest of its token or session in a setting of the transaction. Each
 * function resolves it and checks the scope itself, independent of the console. A digest cannot be guessed, so a forged
 * setting gives no access. The login `cli` presents no token: it names who acts, and the reason is optional (commands.sql).
 * (docs/decisions/0029-console.md)
 */
create function operator.present() returns app.operator_tokens
language plpgsql stable
as $$
declare
  token app.operator_tokens;
begin
  if session_user = 'cli' then
    perform operator.require_attribution();
    token.name := operator.command_user();
    token.scope := 'act';
    return token;
  end if;
  token := operator.token_of(decode(nullif(current_setting('caller.operator_credential', true), ''), 'hex'));
  if token.id is null then
    perform errors.refuse('unauthenticated');
  end if;
  return token;
end
$$;
comment on function operator.present is 'The live token of this transaction, or for the login cli one of scope act without an id; refuses with unauthenticated if there is none. For definer functions.';

create function operator.require_operator(reason text, least_scope app.operator_scope default 'act') returns app.operator_tokens
language plpgsql
as $$
declare
  token constant app.operator_tokens := operator.present();
begin
  if token.scope < least_scope then
    perform errors.refuse('forbidden');
  end if;
  -- A command of the login cli, which has no token, may give no reason.
  if (reason is null and token.id is null or char_length(btrim(reason)) between 1 and 500) is not true then
    perform errors.refuse('invalid_request', '[{"path":"reason","message":"must have 1 to 500 characters"}]');
  end if;
  perform caller.clear_identity();
  perform set_config('caller.operator', token.name, true), set_config('caller.reason', coalesce(btrim(reason), ''), true);
  return token;
end
$$;
comment on function operator.require_operator is 'Checks scope and reason of an operator action, and sets both for the audit log. For definer functions.';

create function operator.begin_action(
  action text, organisation uuid, subject uuid, given jsonb, reason text, least_scope app.operator_scope default 'act'
) returns void
language plpgsql
as $$
declare
  token constant app.operator_tokens := operator.require_operator(reason, least_scope);
begin
  if not exists (select from app.organisations where organisations.id = organisation) then
    perform errors.refuse('not_found');
  end if;
  perform set_config('caller.organisation_id', organisation::text, true);
  insert into app.operator_actions (organisation_id, token_id, operator, action, subject_id, arguments, reason)
  values (organisation, token.id, token.name, action, subject, coalesce(given, '{}') || operator.command_line(), btrim(reason));
end
$$;
comment on function operator.begin_action is 'Begins every operator action: checks scope and reason, records the action, and sets the transaction to the organisation. For definer functions.';

create function operator.begin_command(action text, given jsonb, reason text) returns void
language plpgsql
as $$
declare
  token constant app.operator_tokens := operator.require_operator(reason);
begin
  insert into app.operator_commands (operator, action, arguments, reason)
  values (token.name, action, given || operator.command_line(), btrim(reason));
end
$$;
comment on function operator.begin_command is 'Begins an operator action on all organisations: checks scope and reason, and records the action. For definer functions.';

-- Runs an operation of the API with the rights of an admin's key, without a person. tenant owns it, so all policies apply.
create function operator.perform(operation text, input jsonb) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform set_config('caller.scope', 'admin', true), set_config('caller.role', 'owner', true);
  return api_private.dispatch(operation, jsonb_strip_nulls(input))::json; -- an argument that is null was left out
end
$$;
comment on function operator.perform is 'Instead of row-level security: runs as tenant, to which every policy applies. Only operator actions may call it, after they have set the organisation.';

-- Copies of enums of schema app for arguments: operator may not enter that schema.
do $$
begin
  execute format(
    'create type operator.billing as enum (%s); create type operator.subject as enum (%s)',
    (select string_agg(quote_literal(value), ', ' order by value) from unnest(enum_range(null::app.billing_state)) value),
    (select string_agg(quote_literal(value), ', ' order by value) from unnest(enum_range(null::app.subject_kind)) value)
  );
end
$$;

create view operator.actions as
select organisation_id, id, token_id, operator, action, subject_id, arguments, reason, created_at
from app.operator_actions
union all
select null, id, null, operator, action, subject_id, arguments, reason, created_at
from app.operator_commands;
comment on view operator.actions is $$
@name operator_actions
@primaryKey id
@behavior +query:resource:connection
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName operatorActions
@filters action,operator
@orders operator,action
@contains operator,action,reason
An action of an operator, in the console or on the command line, and its reason. Commands without an organisation have none here.$$;
grant select on operator.actions to operator;
