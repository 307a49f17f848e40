/*
 * Changes under the condition If-Match. (docs/specification/conventions.md#revisions)
 */
create function api_private.revision(answer text, ignored text) returns text
language sql immutable parallel safe
as $$ select left(encode(sha256(convert_to(regexp_replace(answer, ignored, '', 'g'), 'UTF8')), 'hex'), 32) $$;
comment on function api_private.revision is 'The revision of a resource: a digest of its JSON without the ignored fields, as in its ETag (src/contract/revision.ts).';
grant execute on function api_private.revision to tenant;

-- The same lock, in the same order, as the change takes afterwards. A statement after it sees the change that it waited for.
create function api_private.lock_for_change(operation text, input jsonb) returns text
language plpgsql
as $$
declare
  resource constant uuid := input ->> 'id';
begin
  case operation
    when 'update_bot' then
      perform from app.bots bot where bot.id = resource for no key update;
      return api.get_bot(input);
    when 'update_key' then
      perform from app.api_keys key where key.id = resource for no key update;
      return api.get_key(input);
    when 'update_hook' then
      perform from app.hooks hook where hook.id = resource for no key update;
      return api.get_hook(input);
    when 'update_routine' then
      perform from app.routines routine where routine.id = resource for no key update;
      return api.get_routine(input);
    when 'update_webhook' then
      perform from app.webhook_endpoints endpoint where endpoint.id = resource for no key update;
      return api.get_webhook(input);
    when 'update_audit_stream' then
      perform from app.audit_streams stream for no key update;
      return api.get_audit_stream(input);
    when 'update_memory' then
      perform from app.memories memory where memory.id = resource for no key update;
      return api.get_memory(input);
    when 'change_member' then
      perform api_private.lock_members();
      return api.get_member(input);
    when 'rename_organisation' then
      perform from app.organisations organisation where organisation.id = caller.organisation_id() for no key update;
      return api.get_own_organisation(input);
  end case;
end
$$;
comment on function api_private.lock_for_change is 'Locks the row that a PATCH changes and returns its JSON as it is then.';
grant execute on function api_private.lock_for_change to tenant;

-- The condition is checked after the change, so that every other refusal precedes it (RFC 9110, 13.2.1). Its refusal undoes
-- the change.
create function api_private.change_if_match(operation text, input jsonb) returns text
language plpgsql
as $$
declare
  former constant text := api_private.lock_for_change(operation, input);
  answer constant text := api_private.dispatch(operation, input - 'ifMatch');
  condition constant jsonb := input -> 'ifMatch';
begin
  if (condition -> 'revisions' ? api_private.revision(former, condition ->> 'ignored')) is not true then
    perform errors.refuse('conflict', reason => 'revision_changed');
  end if;
  return answer;
end
$$;
comment on function api_private.change_if_match is 'Performs a PATCH if the row is at one of these revisions.';
grant execute on function api_private.change_if_match to tenant;
