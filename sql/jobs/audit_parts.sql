/*
 * Parts of the stream of an audit log: up to 100 entries in order, and what proves them. Only entries of a checkpoint are
 * sent, so that every part is provable. (docs/specification/audit-log.md#stream, docs/decisions/0039-audit-stream.md)
 */
create function jobs.last_logged_entry(organisation uuid, tree_size bigint) returns uuid
language sql stable
set enable_seqscan = off
as $$
  select leaves.last_id
  from app.audit_leaves leaves
  where leaves.organisation_id = organisation and leaves.first_index < tree_size
  order by leaves.first_id desc
  limit 1
$$;
comment on function jobs.last_logged_entry is 'The last entry of an organisation that is in the tree of this size. For functions of owner only.';

-- Retention may have dropped the first entries of the part, or all. This changes the body, so the part gets a new id. The receiver
-- may have the part and its checkpoint, since a response can be lost.
create function jobs.open_audit_part(stream app.audit_streams) returns app.audit_streams
language plpgsql
set enable_seqscan = off
as $$
declare
  first_left bigint;
begin
  select entry.sequence into first_left
  from app.audit_log entry
  where entry.organisation_id = stream.organisation_id and entry.id <= stream.part_entry_id
    and entry.id > coalesce(stream.after_entry_id, '00000000-0000-0000-0000-000000000000')
  order by entry.id
  limit 1;
  if first_left is distinct from coalesce(stream.part_first_sequence, first_left) then
    stream.part_id := case when first_left is not null then uuidv7() end;
    stream.checkpoint := coalesce(stream.checkpoint, stream.part_checkpoint);
  end if;
  stream.part_first_sequence := first_left;
  return stream;
end
$$;
comment on function jobs.open_audit_part is 'The stream with its open part, which has a new id if retention has dropped entries of it. Its first sequence is null if no entry is left. For functions of owner only.';

-- The content of the entries is 64 KB at most, or one entry. A body has it twice, and at most as much again of hashes.
create function jobs.next_audit_part(stream app.audit_streams) returns app.audit_streams
language plpgsql
set enable_seqscan = off
as $$
declare
  sent constant uuid := coalesce(stream.after_entry_id, '00000000-0000-0000-0000-000000000000');
  head app.audit_checkpoints;
  last_logged uuid;
begin
  if stream.part_checkpoint is not null then
    stream := jobs.open_audit_part(stream);
    if stream.part_first_sequence is not null then
      return stream;
    end if;
  end if;
  select * into head from app.audit_checkpoints checkpoint order by checkpoint.number desc limit 1;
  last_logged := jobs.last_logged_entry(stream.organisation_id, head.tree_size);
  select uuidv7(), fitting.first_sequence, fitting.id, fitting.sequence, head.number
  into stream.part_id, stream.part_first_sequence, stream.part_entry_id, stream.part_sequence, stream.part_checkpoint
  from (
    select entry.id, entry.sequence, row_number() over in_order as place, first_value(entry.sequence) over in_order as first_sequence,
      sum(octet_length(audit.content_of(entry))) over in_order as bytes
    from (
      select *
      from app.audit_log logged
      where logged.organisation_id = stream.organisation_id and logged.id > sent and logged.id <= last_logged
      order by logged.id
      limit 100
    ) entry
    window in_order as (order by entry.id)
  ) fitting
  where fitting.place = 1 or fitting.bytes <= 65536
  order by fitting.id desc
  limit 1;
  return stream;
end
$$;
comment on function jobs.next_audit_part is 'The stream with its part: the open one, or the next. Its part is null if all entries of the newest checkpoint were sent. For functions of owner only.';

create function jobs.ocsf_actor(entry app.audit_log) returns json
language sql stable
as $$
  select json_build_object(
    'app_name', entry.actor, 'app_uid', entry.key_id,
    'user', case when entry.person_id is not null or entry.operator is not null
      then json_build_object('uid', entry.person_id, 'name', entry.operator, 'credential_uid', entry.key_id) end
  )
$$;
comment on function jobs.ocsf_actor is 'The actor of an entry as an object of OCSF. A null is left out later.';

-- A null in a value is left out: `changed` names the field.
create function jobs.ocsf_event(entry app.audit_log) returns json
language sql stable
as $$
  select json_strip_nulls(json_build_object(
    'category_uid', 3, 'category_name', 'Identity & Access Management', 'class_uid', 3004, 'class_name', 'Entity Management',
    'activity_id', activity.id, 'activity_name', activity.name, 'type_uid', 300400 + activity.id,
    'type_name', 'Entity Management: ' || activity.name, 'severity_id', 1, 'severity', 'Informational',
    'time', floor(extract(epoch from entry.created_at) * 1000)::bigint,
    'metadata', json_build_object(
      'version', '1.3.0', 'product', json_build_object('name', 'Botstead', 'vendor_name', 'Botstead'), 'log_name', 'audit_log',
      'uid', entry.id, 'sequence', entry.sequence, 'correlation_uid', entry.request_id, 'tenant_uid', entry.organisation_id,
      'original_time', rows.time(entry.created_at)
    ),
    'actor', jobs.ocsf_actor(entry), 'comment', entry.reason,
    'entity', json_build_object('type', entry.resource, 'uid', entry.resource_id, 'data', entry.before),
    'entity_result', case when entry.action <> 'deleted'
      then json_build_object('type', entry.resource, 'uid', entry.resource_id, 'data', entry.after) end,
    'unmapped', json_build_object('changed', entry.changed, 'hash', encode(entry.hash, 'hex'))
  ))
  from (
    values ('created'::app.audit_action, 1, 'Create'), ('updated', 3, 'Update'), ('deleted', 4, 'Delete')
  ) activity (action, id, name)
  where activity.action = entry.action
$$;
comment on function jobs.ocsf_event is 'An entry as an event of OCSF 1.3: class Entity Management (3004).';

create function jobs.base64(hashes bytea[]) returns json
language sql immutable
as $$ select coalesce(json_agg(encode(hash, 'base64') order by place), '[]') from unnest(hashes) with ordinality each (hash, place) $$;
comment on function jobs.base64 is 'Hashes as a list of base64.';

create function jobs.audit_part_leaves(organisation uuid, first app.audit_log, last app.audit_log, tree_size bigint) returns json
language sql stable
set enable_seqscan = off
as $$
  select json_agg(json_build_object(
    'firstSequence', span.first_sequence, 'lastSequence', span.last_sequence, 'leafIndex', span.leaf_index, 'hashes',
    jobs.base64(audit.range_hashes(span.leaf_index, span.leaf_index + span.last_sequence - span.first_sequence, 0, tree_size))
  ) order by span.leaf_index)
  from (
    select greatest(leaves.first_sequence, first.sequence) as first_sequence, least(leaves.last_sequence, last.sequence) as last_sequence,
      leaves.first_index + greatest(leaves.first_sequence, first.sequence) - leaves.first_sequence as leaf_index
    from app.audit_leaves leaves
    where leaves.organisation_id = organisation and leaves.first_id <= last.id and leaves.first_id >= (
      select before.first_id
      from app.audit_leaves before
      where before.organisation_id = organisation and before.first_id <= first.id
      order by before.first_id desc
      limit 1
    )
  ) span
$$;
comment on function jobs.audit_part_leaves is 'The leaves of consecutive entries, in runs, with the hashes that prove each run in the tree of this size.';

create function jobs.audit_part_proof(stream app.audit_streams, first app.audit_log, last app.audit_log) returns json
language sql stable
set enable_seqscan = off
as $$
  select json_build_object(
    'previousHash', encode(case when first.sequence = chain.truncated_sequence + 1 then chain.truncated_hash else before.hash end, 'hex'),
    'dropped', case when first.sequence > stream.after_sequence + 1 then json_build_object(
      'firstSequence', stream.after_sequence + 1, 'lastSequence', first.sequence - 1
    ) end,
    'leaves', jobs.audit_part_leaves(stream.organisation_id, first, last, head.tree_size),
    'checkpoint', head.note,
    'consistency', case when earlier.number is not null then json_build_object(
      'treeSize', earlier.tree_size, 'hashes', jobs.base64(audit.consistency_hashes(earlier.tree_size, head.tree_size))
    ) end
  )
  from audit.chains chain
  join audit.checkpoints head on head.number = stream.part_checkpoint
  left join audit.checkpoints earlier on earlier.number = stream.checkpoint
  left join app.audit_log before on before.organisation_id = stream.organisation_id and before.id = stream.after_entry_id
  where chain.organisation_id = stream.organisation_id
$$;
comment on function jobs.audit_part_proof is 'What proves the entries of a part: the hash before the first, entries that retention dropped before they were sent, leaves, checkpoint, and that it extends the last checkpoint that the receiver has.';

create function jobs.audit_part_body(stream app.audit_streams) returns text
language sql stable
set enable_seqscan = off
as $$
  with entries as materialized (
    select entry, entry.id
    from app.audit_log entry
    where entry.organisation_id = stream.organisation_id
      and entry.id > coalesce(stream.after_entry_id, '00000000-0000-0000-0000-000000000000') and entry.id <= stream.part_entry_id
  ), ends as (
    select (array_agg(listed.entry order by listed.id))[1] as first, (array_agg(listed.entry order by listed.id desc))[1] as last
    from entries listed
  )
  select json_build_object(
    'id', stream.part_id, 'event', 'audit.entries', 'createdAt', rows.time(uuid_extract_timestamp(stream.part_id)),
    'organisationId', stream.organisation_id,
    'data', json_build_object(
      'format', stream.format,
      'entries', (
        select json_agg(
          case stream.format when 'ocsf' then jobs.ocsf_event(listed.entry)
            else to_json(row_to_json(fields)::jsonb - 'organisation_id') end order by listed.id
        )
        from entries listed
        join rows.audit_entries fields on fields.organisation_id = stream.organisation_id and fields.id = listed.id
      ),
      'contents', (select json_agg(audit.content_of(listed.entry) order by listed.id) from entries listed),
      'proof', jobs.audit_part_proof(stream, ends.first, ends.last)
    )
  )::text
  from ends
$$;
comment on function jobs.audit_part_body is 'The body of a part, the same for every attempt. For functions of owner only.';
