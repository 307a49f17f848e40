/*
 * Viewing the API as a person of an organisation: read-only operations with that person's rights and policies. The
 * action is recorded first; nothing else is written. The query of the path is not recorded, since it may name the
 * subject of a memory and the log is permanent.
 *
 * It requires scope act although it changes nothing: nothing else in the console shows text of conversations and
 * memories.
 */
create function operator.view_as(
  organisation uuid, person uuid, operation text, input jsonb, path text, reason text
) returns text
language plpgsql
security definer set search_path = ''
as $$
declare
  role app.member_role;
  scope app.key_scope;
begin
  if path !~ '^/(?![/\\])[^\\[:cntrl:] ]*$' then
    perform errors.refuse('not_found'); -- not a path of this API
  end if;
  perform operator.begin_action(
    'view_as', organisation, person, jsonb_build_object('path', substring(path from '^[^?#]*')), reason
  );
  select member.role into role
  from app.memberships member
  where member.organisation_id = organisation and member.person_id = person;
  if role is null or not exists (
    select from api.operations
    where operations.name = operation and operations.method = 'get' and operations.key_class = 'organisation'
  ) then
    perform errors.refuse('not_found');
  end if;
  -- The widest scope that the person's key could have. A plain member cannot have a key, and gets scope read.
  scope := case when role >= 'admin' then 'admin' else 'read' end;
  if (caller.operation(operation) ->> 'scope')::app.key_scope > scope then
    perform errors.refuse('forbidden');
  end if;
  perform set_config('caller.person_id', person::text, true), set_config('caller.role', role::text, true),
    set_config('caller.scope', scope::text, true);
  return operator.look(operation, input);
end
$$;
comment on function operator.view_as is 'Instead of row-level security: an operator''s token of scope act. Returns what the API would return to that person. Writes only the operator action.';
grant execute on function operator.view_as to operator;

create function operator.look(operation text, input jsonb) returns text
language plpgsql
security definer set search_path = ''
as $$
declare
  answer text;
begin
  -- A block with an exception handler is a subtransaction: only it is read-only, and the transaction can still write.
  begin
    perform set_config('transaction_read_only', 'on', true);
    answer := api_private.dispatch(operation, input);
  exception when sqlstate 'OA001' then
    raise;
  end;
  return answer;
end
$$;
comment on function operator.look is 'Instead of row-level security: nothing, since it belongs to tenant, which is subject to every policy. Only operator.view_as may call it.';
