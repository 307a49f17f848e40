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

-- Whoever goes on with a run that its executor lost says again what was said already: it lands once, and asks once.
create function runner.proposed_before(run app.runs, claim jsonb) returns json
language sql stable
set search_path = ''
as $$
  select coalesce(
    (
      select json_build_object('memoryId', memory.id)
      from app.memories memory
      where memory.organisation_id = run.organisation_id
        and memory.run_id = run.id
        and (memory.scope::text, memory.kind, memory.subject, memory.value)
          = (claim ->> 'scope', claim ->> 'kind', claim ->> 'subject', claim ->> 'value')
      order by memory.id
      limit 1
    ),
    (
      select json_build_object('approvalId', card.id)
      from app.approvals card
      where card.organisation_id = run.organisation_id
        and card.run_id = run.id
        and card.kind = 'memory'
        and (card.proposal ->> 'scope', card.proposal ->> 'kind', card.proposal ->> 'subject', card.proposal ->> 'value')
          = (claim ->> 'scope', claim ->> 'kind', claim ->> 'subject', claim ->> 'value')
      order by card.id
      limit 1
    )
  )
$$;
comment on function runner.proposed_before is 'What became of the same claim, when the run has proposed it before: of the same scope, kind, subject and value. Null when it has not.';

create function runner.propose_memory(organisation uuid, run uuid, lease uuid, memory jsonb) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
declare
  working app.runs := runner.held(organisation, run, lease);
  before json := runner.proposed_before(working, memory);
begin
  if before is not null then
    return before;
  end if;
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

/*
 * A run that a run starts is its person's, as if they had sent the message themself: it meets the same gates. It has the
 * trigger that its parent has, so what set off both is told by both, and both count against the same ceiling.
 */
create function runner.write_run(parent app.runs, proposed jsonb) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  bot uuid;
  conversation uuid;
  started uuid;
begin
  select held.id into bot
  from app.bots held
  join app.memberships member
    on member.organisation_id = held.organisation_id and member.person_id = parent.person_id
  where held.organisation_id = parent.organisation_id
    and held.id = (proposed ->> 'botId')::uuid
    and held.deleted_at is null
    and (held.owner_id = parent.person_id or (held.visibility = 'team' and held.direct_conversation = 'members'));
  if bot is null then
    perform caller.refuse('not_found');
  end if;
  perform caller.require_payment();

  insert into app.conversations (organisation_id, bot_id, person_id)
  values (parent.organisation_id, bot, parent.person_id)
  on conflict do nothing;
  select direct.id into conversation
  from app.conversations direct
  where direct.organisation_id = parent.organisation_id
    and direct.bot_id = bot
    and direct.person_id = parent.person_id;

  insert into app.runs (
    organisation_id, bot_id, conversation_id, person_id, routine_id, trigger, parent_run_id
  )
  values (
    parent.organisation_id, bot, conversation, parent.person_id, parent.routine_id, parent.trigger, parent.id
  )
  returning id into started;
  insert into app.messages (organisation_id, conversation_id, run_id, author, text)
  values (parent.organisation_id, conversation, started, 'bot', proposed ->> 'message');
  perform caller.require_executor((
    select held.model from app.bots held where held.organisation_id = parent.organisation_id and held.id = bot
  ));
  return started;
exception when data_exception or integrity_constraint_violation then
  perform caller.refuse('invalid_request');
end
$$;
comment on function runner.write_run is 'Starts a run of another''s making, in the conversation of that one''s person with the bot. Refuses as POST /runs does.';

create function runner.started_before(run app.runs, proposed jsonb) returns json
language sql stable
set search_path = ''
as $$
  select coalesce(
    (
      select json_build_object('runId', child.id)
      from app.conversations direct
      join app.messages first
        on first.organisation_id = direct.organisation_id
        and first.conversation_id = direct.id
        and first.id > run.id
        and first.author = 'bot'
        and first.text = proposed ->> 'message'
      join app.runs child
        on child.organisation_id = first.organisation_id and child.id = first.run_id and child.parent_run_id = run.id
      where direct.organisation_id = run.organisation_id
        and direct.bot_id = (proposed ->> 'botId')::uuid
        and direct.person_id = run.person_id
        and not exists (
          select from app.messages earlier
          where earlier.organisation_id = first.organisation_id
            and earlier.run_id = first.run_id
            and earlier.id < first.id
        )
      order by child.id
      limit 1
    ),
    (
      select json_build_object('approvalId', card.id)
      from app.approvals card
      where card.organisation_id = run.organisation_id
        and card.run_id = run.id
        and card.kind = 'run'
        and card.proposal = proposed
      order by card.id
      limit 1
    )
  )
$$;
comment on function runner.started_before is 'What became of the same start, when the run has asked for it before: of the same bot, with the same message. Null when it has not.';

create function runner.start_run(organisation uuid, run uuid, lease uuid, bot uuid, message text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
declare
  working app.runs;
  proposed constant jsonb := jsonb_build_object('botId', bot, 'message', message);
  before json;
begin
  -- The organisation, which the run to be started needs, before the one that starts it: as whoever deletes its bot, or answers its cards.
  perform triggers.lock_organisation(organisation);
  working := runner.held(organisation, run, lease);
  before := runner.started_before(working, proposed);
  if before is not null then
    return before;
  end if;
  if not working.taint then
    return json_build_object('runId', runner.write_run(working, proposed));
  end if;
  begin
    perform runner.write_run(working, proposed);
    raise exception using errcode = 'OA003', message = 'undone'; -- it would be started; nothing of it stays
  exception when sqlstate 'OA003' then
    return json_build_object('approvalId', runner.raise_approval(
      working, 'run', null, null, proposed, interval '3 days'
    ));
  end;
end
$$;
comment on function runner.start_run is 'Instead of row-level security: the lease of the run. Answers runId when the run is started, or approvalId when a person has to approve it first.';
