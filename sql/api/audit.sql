/*
 * The audit log of the caller's organisation, newest first. The filter resourceId uses an index; every other filter
 * reads on until the page is full. (docs/decisions/0033-audit-log.md)
 */
create function api.list_audit(input jsonb) returns text
language plpgsql stable
as $$
begin
  if input ->> 'resourceId' is not null then
    return (
      select rows.page(array_agg(row_to_json(entry) order by entry.id desc), input)
      from (
        select listed.* from rows.audit_log listed
        where listed."resourceId" = (input ->> 'resourceId')::uuid
          and listed.id < least(rows.before(input), api_private.before_time(input)) and listed.id >= api_private.from_time(input)
          and api_private.admits_entry(
            input, listed.actor, listed.action, listed.resource, listed."userId", listed."keyId",
            listed."requestId"
          )
        order by listed.id desc
        limit (input ->> 'limit')::integer + 1
      ) entry
    );
  end if;
  return (
    select rows.page(array_agg(row_to_json(entry) order by entry.id desc), input)
    from (
      select listed.* from rows.audit_log listed
      where listed.id < least(rows.before(input), api_private.before_time(input)) and listed.id >= api_private.from_time(input)
        and api_private.admits_entry(
            input, listed.actor, listed.action, listed.resource, listed."userId", listed."keyId",
            listed."requestId"
          )
      order by listed.id desc
      limit (input ->> 'limit')::integer + 1
    ) entry
  );
end
$$;
grant execute on function api.list_audit to tenant;

/* The proof that an entry is in the newest checkpoint. (docs/specification/audit-log.md#checkpoints) */
create function api.get_audit_proof(input jsonb) returns text
language plpgsql stable
as $$
declare
  listed bigint := (select entry.sequence from rows.audit_log entry where entry.id = (input ->> 'id')::uuid);
  proof text;
begin
  if listed is null then
    perform errors.refuse('not_found');
  end if;
  proof := api_private.audit_proof((input ->> 'id')::uuid, listed);
  if proof is null then
    perform errors.refuse('conflict', reason => 'entry_not_in_checkpoint');
  end if;
  return proof;
end
$$;
grant execute on function api.get_audit_proof to tenant;
