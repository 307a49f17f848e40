-- Never null and not by coalesce: the comment of rows.before says why.
create function api_private.from_time(input jsonb) returns uuid
language sql immutable parallel safe
as $$
  select case when input ->> 'since' is null then '00000000-0000-0000-0000-000000000000'
    else times.least_id((input ->> 'since')::timestamptz) end
$$;
comment on function api_private.from_time is 'The smallest id that is not before since.';
grant execute on function api_private.from_time to tenant;

create function api_private.before_time(input jsonb) returns uuid
language sql immutable parallel safe
as $$
  select case when input ->> 'until' is null then 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    else times.least_id((input ->> 'until')::timestamptz) end
$$;
comment on function api_private.before_time is 'The id that is greater than all ids before until.';
grant execute on function api_private.before_time to tenant;

create function api_private.admits_entry(
  filters jsonb, actor app.audit_actor, action app.audit_action, resource text, person uuid, key uuid, request uuid
) returns boolean
language sql stable parallel safe
as $$
  select (filters ->> 'actor' is null or actor = (filters ->> 'actor')::app.audit_actor)
    and (filters ->> 'action' is null or action = (filters ->> 'action')::app.audit_action)
    and (filters ->> 'resource' is null or resource = filters ->> 'resource')
    and (filters ->> 'userId' is null or person = (filters ->> 'userId')::uuid)
    and (filters ->> 'keyId' is null or key = (filters ->> 'keyId')::uuid)
    and (filters ->> 'requestId' is null or request = (filters ->> 'requestId')::uuid)
$$;
comment on function api_private.admits_entry is 'Whether an entry passes the filters of the list. PostgreSQL inlines it.';
grant execute on function api_private.admits_entry to tenant;

create function api_private.audit_proof(entry uuid, sequence bigint) returns text
language sql stable
security definer set search_path = ''
as $$
  select row_to_json(answer)::text
  from (
    select entry as "entryId", encode(coalesce(previous.hash, chain.truncated_hash), 'hex') as "previousHash",
      audit.content_of(proven) as content, proof.leaf, proof.leaf_index as "leafIndex", proof.tree_size as "treeSize",
      array(
        select encode(listed.hash, 'base64') from unnest(proof.hashes) with ordinality listed (hash, place) order by listed.place
      ) as hashes,
      proof.checkpoint
    from audit.proof(caller.organisation_id(), sequence) proof
    join app.audit_log proven on proven.organisation_id = caller.organisation_id() and proven.id = entry
    join audit.chains chain on chain.organisation_id = proven.organisation_id
    left join lateral (
      select before.hash
      from app.audit_log before
      where before.organisation_id = proven.organisation_id and before.id < entry
      order by before.id desc
      limit 1
    ) previous on true
  ) answer
$$;
comment on function api_private.audit_proof is 'Instead of row-level security: proven.organisation_id = caller.organisation_id(). Null if the entry is in no checkpoint.';
grant execute on function api_private.audit_proof to tenant;

create function api_private.sequence_of_entry(entry uuid) returns bigint
language plpgsql stable
as $$
declare
  sequence bigint;
begin
  if entry is null then
    return 0;
  end if;
  select listed.sequence into sequence from rows.audit_log listed where listed.id = entry;
  perform errors.require_row(found);
  return sequence;
end
$$;
comment on function api_private.sequence_of_entry is 'The sequence of an entry that the caller reads; 0 for null. Refuses an entry that the log does not have.';
grant execute on function api_private.sequence_of_entry to tenant;
