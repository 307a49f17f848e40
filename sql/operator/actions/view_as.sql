/*
 * What a person of an organisation sees: the API's own readings, with that person's rights and under the policies that
 * hold them. It is written down first, and nothing else is written: what is looked at is looked at read-only. What follows the
 * path is not kept: it may name whom a claim is about, and an act is kept for good.
 *
 * It takes the scope to act, although it changes nothing: it shows words of conversations and claims, which nothing else
 * in the console does.
 */
create function operator.view_as(
  organisation uuid, person uuid, operation text, input jsonb, path text, reason text
) returns text
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act; what is read is read under the person's policies.
declare
  role app.member_role;
  scope app.key_scope;
begin
  perform operator.begin_act(
    'view_as', organisation, person, jsonb_build_object('path', substring(path from '^[^?#]*')), reason
  );
  select member.role into role
  from app.memberships member
  where member.organisation_id = organisation and member.person_id = person;
  if role is null or not exists (
    select from api.operations asked
    where asked.name = operation and asked.method = 'get' and asked.key_class = 'organisation'
  ) then
    perform caller.refuse('not_found');
  end if;
  -- The widest key that they could hold. A plain member can hold none, and is shown what needs no more than to read.
  scope := case when role >= 'admin' then 'admin' else 'read' end;
  if (caller.operation(operation) ->> 'scope')::app.key_scope > scope then
    perform caller.refuse('forbidden');
  end if;
  perform set_config('caller.person_id', person::text, true), set_config('caller.role', role::text, true),
    set_config('caller.scope', scope::text, true);
  return operator.look(operation, input);
end
$$;
comment on function operator.view_as is 'Instead of row-level security: an operator''s token of scope act. Answers what the API would answer to that person, and writes nothing but that it was asked.';

create function operator.look(operation text, input jsonb) returns text
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: nothing is replaced. It belongs to tenant, and operator.view_as alone may call it.
declare
  answer text;
begin
  -- A block that catches is a transaction within the transaction: it alone is read-only, and the commit may write again.
  begin
    perform set_config('transaction_read_only', 'on', true);
    answer := api.dispatch(operation, input);
  exception when sqlstate 'OA001' then
    raise;
  end;
  return answer;
end
$$;
comment on function operator.look is 'Instead of row-level security: nothing, since it belongs to tenant and every policy holds it. operator.view_as alone may call it.';
