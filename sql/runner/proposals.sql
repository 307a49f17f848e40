/*
 * What a run writes beside its answer: claims, and runs of its own. A run that is not tainted writes them; of one that is,
 * each becomes a card, and lands as tainted when the person approves it. Both ways go through the same functions, so what
 * a card proposes is looked at by the same rules when it is raised and when it is approved. (Part 4, "Runs".)
 */
create function runner.refuse_unless_writable(run app.runs, scope text) returns void
language plpgsql
set search_path = ''
as $$
declare
  rank app.member_role := (
    select member.role
    from app.memberships member
    where member.organisation_id = run.organisation_id and member.person_id = run.person_id
  );
begin
  if rank is null or (scope <> 'member' and rank < 'admin') then
    perform caller.refuse('forbidden');
  end if;
end
$$;
comment on function runner.refuse_unless_writable is 'A run writes what its person may: claims about themself, and as an admin those of the organisation and of the bot.';

create function runner.proposed_memory(memory jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'scope', memory ->> 'scope',
    'kind', memory ->> 'kind',
    'subject', memory ->> 'subject',
    'subjectKind', coalesce(memory ->> 'subjectKind', 'organisation'),
    'value', memory ->> 'value',
    'confidence', coalesce((memory ->> 'confidence')::double precision, 1),
    'validTo', rows.time((memory ->> 'validTo')::timestamptz),
    'lawfulBasis', coalesce(memory ->> 'lawfulBasis', 'legitimate_interests')
  )
$$;
comment on function runner.proposed_memory is 'A claim with its defaults, and nothing besides.';

create function runner.write_memory(run app.runs, memory jsonb, written_by uuid) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  claim jsonb;
  written uuid;
begin
  claim := runner.proposed_memory(memory);
  perform runner.refuse_unless_writable(run, claim ->> 'scope');
  insert into app.memories (
    organisation_id, run_id, scope, bot_id, member_id, kind, subject, subject_kind, value, confidence, valid_to,
    provenance, source, lawful_basis, created_by
  )
  values (
    run.organisation_id,
    run.id,
    (claim ->> 'scope')::app.memory_scope,
    case claim ->> 'scope' when 'bot' then run.bot_id end,
    case claim ->> 'scope' when 'member' then run.person_id end,
    claim ->> 'kind',
    claim ->> 'subject',
    (claim ->> 'subjectKind')::app.subject_kind,
    claim ->> 'value',
    (claim ->> 'confidence')::double precision,
    (claim ->> 'validTo')::timestamptz,
    'run-tainted', -- unless its run says otherwise: triggers.tg_memories__tell_provenance
    'run',
    (claim ->> 'lawfulBasis')::app.lawful_basis,
    written_by
  )
  returning id into written;
  return written;
exception when data_exception or integrity_constraint_violation then
  perform caller.refuse('invalid_request');
end
$$;
comment on function runner.write_memory is 'Writes a claim of a run. Refuses what is no claim (invalid_request), and what its person may not write or nobody may hold (forbidden).';

create function runner.propose_memory(organisation uuid, run uuid, lease uuid, memory jsonb) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
declare
  working app.runs := runner.held(organisation, run, lease);
begin
  if not working.taint then
    return json_build_object('memoryId', runner.write_memory(working, memory, null));
  end if;
  begin
    perform runner.write_memory(working, memory, working.person_id);
    raise exception using errcode = 'OA003', message = 'undone'; -- it would land; nothing of it stays
  exception when sqlstate 'OA003' then
    return json_build_object('approvalId', runner.raise_approval(
      working, 'memory', null, null, runner.proposed_memory(memory), interval '3 days'
    ));
  end;
end
$$;
comment on function runner.propose_memory is 'Instead of row-level security: the lease of the run. Answers memoryId when the claim has landed, or approvalId when a person has to approve it first.';
