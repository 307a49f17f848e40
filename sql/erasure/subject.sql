/*
 * Erasure of all data about a subject: its memories and their history, the proposals of runs, bot answers that cite such
 * memories, results of the steps of such runs, and idempotent responses. It also erases metadata and concurrency keys of runs.
 * It includes memories that the caller cannot read. A receipt remains, which does not contain the subject.
 * (docs/specification/memories.md#erasure; GDPR article 17)
 */
-- Approvals that propose a memory about the subject, answered or not. Withdrawn first, so that their mails are not
-- sent. The run is locked before its approvals, as everywhere.
create function erasure.erase_proposals(organisation uuid, about app.subject_kind, spelled text) returns uuid[]
language plpgsql
as $$
declare
  proposals uuid[];
begin
  -- Before messages and approvals, as when a week of events is attached, which refers to all three: else the two could deadlock.
  lock table app.runs in row exclusive mode;
  select coalesce(array_agg(locked.id), '{}') into proposals
  from (
    select approval.id
    from app.approvals approval
    join app.runs run on run.organisation_id = approval.organisation_id and run.id = approval.run_id
    where approval.organisation_id = organisation
      and approval.kind = 'memory'
      and approval.proposal ->> 'subjectKind' = about::text
      and names.spelled(approval.proposal ->> 'subject') = spelled
    order by run.id, approval.id
    for no key update of run
  ) locked;
  update app.approvals approval
  set state = 'withdrawn'
  where approval.organisation_id = organisation and approval.id = any (proposals) and approval.state = 'pending';
  -- Another erasure may have deleted some while this one waited for their runs.
  with gone as (
    delete from app.approvals approval where approval.organisation_id = organisation and approval.id = any (proposals) returning id
  )
  select coalesce(array_agg(id), '{}') into proposals from gone;
  return proposals;
end
$$;
comment on function erasure.erase_proposals is 'Returns the ids of the deleted approvals.';

create function erasure.digest_of(spelled text) returns bytea
language sql immutable parallel safe
as $$ select sha256(convert_to(spelled, 'UTF8')) $$;
comment on function erasure.digest_of is 'The digest by which metadata and concurrency keys are found, of a value as names are compared (names.spelled).';
grant execute on function erasure.digest_of to tenant;

create function erasure.delete_metadata(organisation uuid, spelled text, maximum integer) returns uuid[]
language sql
as $$
  with found as materialized ( -- once: a join would repeat the limit
    select pair.run_id, pair.key from app.run_metadata pair
    where pair.organisation_id = organisation and pair.value_digest = erasure.digest_of(spelled)
    order by pair.run_id, pair.key
    limit maximum
    for update
  ), gone as (
    delete from app.run_metadata pair
    using found
    where pair.organisation_id = organisation and pair.run_id = found.run_id and pair.key = found.key
    returning pair.run_id
  )
  select coalesce(array_agg(distinct run_id), '{}') from gone
$$;
comment on function erasure.delete_metadata is 'Deletes at most this many pairs whose value is the subject, and returns their runs. For definer functions only.';

-- Waits for no run that another transaction changes: a later call finds it. A run that waited for its key waits no longer.
create function erasure.delete_keys(organisation uuid, spelled text, maximum integer) returns uuid[]
language sql
as $$
  with found as materialized (
    select run.id from app.runs run
    where run.organisation_id = organisation and run.concurrency_key_digest = erasure.digest_of(spelled)
    order by run.id
    limit maximum
    for no key update skip locked
  ), gone as (
    update app.runs run
    set concurrency_key = null, concurrency_key_digest = null, settles_key_at = null,
      postponed = run.postponed and coalesce(run.start_at > now(), false)
    from found
    where run.organisation_id = organisation and run.id = found.id
    returning run.id
  )
  select coalesce(array_agg(id), '{}') from gone
$$;
comment on function erasure.delete_keys is 'Deletes at most this many concurrency keys that are the subject, and returns their runs. For definer functions only.';

create function erasure.delete_from_runs(organisation uuid, spelled text, maximum integer) returns uuid[]
language sql
as $$
  select erasure.delete_metadata(organisation, spelled, maximum) || erasure.delete_keys(organisation, spelled, maximum)
$$;
comment on function erasure.delete_from_runs is 'Deletes metadata and concurrency keys that are the subject, and returns their runs. For definer functions only.';

-- Locks the memories and the history that the erasure deletes next. A concurrent answer that cites one of them either
-- waits and is then blanked by its trigger, or has committed and is found by erasure.blank_answers.
create function erasure.lock_erasable(
  organisation uuid, about app.subject_kind, spelled text, maximum integer,
  out memories uuid[], out changes uuid[], out cited uuid[]
)
language plpgsql
as $$
declare
  changed uuid[];
begin
  select coalesce(array_agg(id), '{}') into memories
  from (
    select memory.id from app.memories memory
    where memory.organisation_id = organisation and memory.subject_kind = about and memory.subject_key = spelled
    order by memory.id
    limit maximum
    for update
  ) locked;
  select coalesce(array_agg(id), '{}'), coalesce(array_agg(memory_id), '{}') into changes, changed
  from (
    select change.id, change.memory_id from app.memory_history change
    where change.organisation_id = organisation and change.subject_kind = about and change.subject_key = spelled
    order by change.id
    limit maximum
    for update
  ) locked;
  cited := memories || changed;
end
$$;
comment on function erasure.lock_erasable is 'Locks at most this many memories and changes about a subject. Returns their ids, and the memory ids that answers cite.';
grant execute on function erasure.lock_erasable to tenant;

create function erasure.blank_answers(organisation uuid, cited uuid[], maximum integer) returns uuid[]
language sql
set enable_seqscan = off
as $$
  with blanked as (
    update app.messages message
    set text = '', memory_ids = '{}', erased_at = now()
    where message.organisation_id = organisation and message.id = any (array(
      select citing.id
      from (
        select answer.organisation_id, answer.id from app.messages answer
        where answer.memory_ids <> '{}' and answer.memory_ids && cited
        offset 0 -- keeps the planner from the index by organisation, which would read all its messages
      ) citing
      where citing.organisation_id = organisation
      limit maximum
    ))
    returning message.id
  )
  select coalesce(array_agg(id), '{}') from blanked
$$;
comment on function erasure.blank_answers is 'Blanks at most this many answers that cite one of these memories, and returns their ids. An answer may quote a memory anywhere, so its whole text is erased.';
grant execute on function erasure.blank_answers to tenant;

create function erasure.delete_erasable(
  organisation uuid, about app.subject_kind, spelled text, memories uuid[], changes uuid[]
) returns boolean
language plpgsql
as $$
begin
  delete from app.memories memory where memory.organisation_id = organisation and memory.id = any (memories);
  -- The history that the deletion above has just written.
  delete from app.memory_history change
  where change.organisation_id = organisation and change.memory_id = any (memories) and change.change = 'deleted';
  delete from app.memory_history change where change.organisation_id = organisation and change.id = any (changes);
  return not exists (
    select from app.memories memory
    where memory.organisation_id = organisation and memory.subject_kind = about and memory.subject_key = spelled
  ) and not exists (
    select from app.memory_history change
    where change.organisation_id = organisation and change.subject_kind = about and change.subject_key = spelled
  ) and not exists (
    select from app.run_metadata pair
    where pair.organisation_id = organisation and pair.value_digest = erasure.digest_of(spelled)
  ) and not exists (
    select from app.runs run
    where run.organisation_id = organisation and run.concurrency_key_digest = erasure.digest_of(spelled)
  );
end
$$;
comment on function erasure.delete_erasable is 'Deletes these memories and changes. Returns whether none about the subject is left, also no metadata and no concurrency key.';

-- A call erases at most erasure.max_rows() memories, as many rows of history and as many answers. If more answers
-- or results remain, memories stay until a later call has erased them.
create function erasure.erase(about app.subject_kind, spelled text) returns app.erasures
language plpgsql
security definer set search_path = ''
as $$
declare
  organisation constant uuid := caller.organisation_id();
  maximum constant integer := erasure.max_rows();
  proposals uuid[];
  erasable record;
  answers uuid[];
  shown uuid[];
  is_complete boolean;
  receipt app.erasures;
begin
  if organisation is null or caller.scope() is distinct from 'admin' then
    perform errors.refuse('unauthenticated');
  end if;
  -- First: this waits for a concurrent approval, whose memory the following statements then see.
  proposals := erasure.erase_proposals(organisation, about, spelled);
  erasable := erasure.lock_erasable(organisation, about, spelled, maximum);
  answers := erasure.blank_answers(organisation, erasable.cited, maximum);
  if erasure.delete_results(organisation, erasable.cited, answers) or cardinality(answers) = maximum then
    erasable.memories := '{}';
    erasable.changes := '{}';
  end if;
  shown := erasable.cited || erasable.changes || proposals || answers || erasure.delete_from_runs(organisation, spelled, maximum);
  is_complete := erasure.delete_erasable(organisation, about, spelled, erasable.memories, erasable.changes);
  perform erasure.erase_responses(organisation, shown);
  insert into app.erasures (
    organisation_id, erased_by, key_id, operator, subject_kind, proposals, memories, history, answers, complete
  )
  values (
    organisation, caller.person_id(), caller.key_id(), case when caller.key_id() is null then caller.operator() end,
    about, cardinality(proposals), cardinality(erasable.memories), cardinality(erasable.changes), cardinality(answers),
    is_complete
  )
  returning * into receipt;
  return receipt;
end
$$;
comment on function erasure.erase is 'Instead of row-level security: caller.scope() is admin, in the organisation caller.organisation_id(). For a key of the organisation, or an operator action for the organisation that it names.';
grant execute on function erasure.erase to tenant;
