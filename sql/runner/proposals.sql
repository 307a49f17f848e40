/*
 * Memories of a run. A tainted run raises an approval instead, and the person's approval writes them as tainted. Both
 * use the same functions, so a proposal meets the same checks when it is raised and when it is approved. The same holds
 * for runs started by a run (started_runs.sql). (docs/specification/executors.md#proposing)
 */
create function runner.refuse_unless_writable(run app.runs, scope text) returns void
language plpgsql
as $$
declare
  rank app.member_role := (
    select member.role
    from app.memberships member
    where member.organisation_id = run.organisation_id and member.person_id = run.person_id
  );
begin
  if rank is null or (scope <> 'member' and rank < 'admin') then
    perform errors.refuse('forbidden');
  end if;
end
$$;
comment on function runner.refuse_unless_writable is 'A run writes what its person may: memories about themself, and as an admin memories of the organisation and of the bot.';

create function runner.proposed_memory(memory jsonb) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'scope', memory ->> 'scope',
    'kind', memory ->> 'kind',
    'subject', memory ->> 'subject',
    'subjectKind', coalesce(memory ->> 'subjectKind', 'organisation'),
    'value', memory ->> 'value',
    'confidence', coalesce((memory ->> 'confidence')::double precision, 1),
    'validFrom', rows.time((memory ->> 'validFrom')::timestamptz),
    'validTo', rows.time((memory ->> 'validTo')::timestamptz),
    'lawfulBasis', coalesce(memory ->> 'lawfulBasis', 'legitimate_interests'),
    'supersedes', (memory ->> 'supersedes')::uuid
  )
$$;
comment on function runner.proposed_memory is 'The fields of a memory with their defaults, without any other field.';

create function runner.write_memory(run app.runs, memory jsonb, written_by uuid) returns uuid
language plpgsql
as $$
declare
  proposed jsonb;
  written uuid;
begin
  perform runner.require(runner.is_proposal(memory), 'the fields of a memory have other types');
  proposed := runner.proposed_memory(memory);
  perform runner.refuse_unless_writable(run, proposed ->> 'scope');
  perform errors.require_row(runner.may_cite(run, array[proposed ->> 'supersedes']::uuid[]));
  insert into app.memories (
    organisation_id, run_id, scope, bot_id, member_id, kind, subject, subject_kind, value, confidence, valid_from, valid_to,
    provenance, source, lawful_basis, created_by, supersedes
  )
  values (
    run.organisation_id,
    run.id,
    (proposed ->> 'scope')::app.memory_scope,
    case proposed ->> 'scope' when 'bot' then run.bot_id end,
    case proposed ->> 'scope' when 'member' then run.person_id end,
    proposed ->> 'kind',
    proposed ->> 'subject',
    (proposed ->> 'subjectKind')::app.subject_kind,
    proposed ->> 'value',
    (proposed ->> 'confidence')::double precision,
    (proposed ->> 'validFrom')::timestamptz,
    (proposed ->> 'validTo')::timestamptz,
    'run-tainted', -- unless its run says otherwise: triggers.tg_memories__set_provenance
    'run',
    (proposed ->> 'lawfulBasis')::app.lawful_basis,
    written_by,
    (proposed ->> 'supersedes')::uuid
  )
  returning id into written;
  return written;
exception when data_exception or integrity_constraint_violation then
  perform errors.refuse('invalid_request');
end
$$;
comment on function runner.write_memory is 'Writes a memory of a run. Refuses with invalid_request if it is invalid, and with forbidden if its person may not write it or its kind is not allowed. If it replaces a memory: with not_found if the run cannot find that memory, and with conflict if that memory has ended.';

-- The next executor of a run repeats what a lost executor has proposed: a memory must be written once, an approval
-- raised once.
create function runner.proposed_before(run app.runs, proposed jsonb) returns json
language sql stable
as $$
  select coalesce(
    (
      select json_build_object('memoryId', memory.id)
      from app.memories memory
      where memory.organisation_id = run.organisation_id
        and memory.run_id = run.id
        and (memory.scope::text, memory.kind, memory.subject, memory.value)
          = (proposed ->> 'scope', proposed ->> 'kind', proposed ->> 'subject', proposed ->> 'value')
        and memory.supersedes::text is not distinct from lower(proposed ->> 'supersedes')
      order by memory.id
      limit 1
    ),
    (
      select json_build_object('approvalId', approval.id)
      from app.approvals approval
      where approval.organisation_id = run.organisation_id
        and approval.run_id = run.id
        and approval.kind = 'memory'
        and (approval.proposal ->> 'scope', approval.proposal ->> 'kind', approval.proposal ->> 'subject', approval.proposal ->> 'value')
          = (proposed ->> 'scope', proposed ->> 'kind', proposed ->> 'subject', proposed ->> 'value')
        and lower(approval.proposal ->> 'supersedes') is not distinct from lower(proposed ->> 'supersedes')
      order by approval.id
      limit 1
    )
  )
$$;
comment on function runner.proposed_before is 'The result of the same proposal by the same run: same scope, kind, subject, value and supersedes. Null if there is none.';

create function runner.propose_memory(organisation uuid, run uuid, lease uuid, memory jsonb) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  working app.runs := runner.leased_run(organisation, run, lease);
  before json := runner.proposed_before(working, memory);
begin
  if before is not null then
    return before;
  end if;
  -- A tainted run writes none; its approvals are counted in triggers/approvals.sql.
  if (
    select count(*) from app.memories written
    where written.organisation_id = organisation and written.run_id = working.id
  ) >= 50 then
    perform errors.refuse('quota_exceeded');
  end if;
  if not working.taint then
    return json_build_object('memoryId', runner.write_memory(working, memory, null));
  end if;
  begin
    perform runner.write_memory(working, memory, working.person_id);
    raise exception using errcode = 'OA003', message = 'undone'; -- it is valid: undo it, and ask the person
  exception when sqlstate 'OA003' then
    return json_build_object('approvalId', runner.raise_approval(
      working, 'memory', null, null, runner.proposed_memory(memory), interval '3 days'
    ));
  end;
end
$$;
comment on function runner.propose_memory is 'Instead of row-level security: runner.leased_run, for the lease of the run. Returns memoryId if the memory was written, or approvalId if a person must approve it first.';
grant execute on function runner.propose_memory to executor;
