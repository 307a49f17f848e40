/*
 * Erasure. All that is held about somebody goes: claims, those too that the caller cannot read, what they said before,
 * what runs proposed, and the answers that were kept for replays. What stays is a receipt that names nobody. (decisions: section 5.6; GDPR
 * article 17.)
 */
create function caller.without(results jsonb, ids uuid[]) returns jsonb
language sql immutable
set search_path = ''
as $$
  select jsonb_agg(
    case when exists (
      select from regexp_matches(result ->> 'body', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') id
      where (id[1]::uuid in (select unnest(ids))) is true -- hashed, where an array is gone through for each
    ) then '{"refusal": "not_found"}' else result end
    order by place
  )
  from jsonb_array_elements(results) with ordinality each (result, place)
$$;
comment on function caller.without is 'The results of a batch; not_found in the place of those whose answer names one of these ids.';

-- An answer that showed what was erased is not given again: its replay says not_found, and does nothing a second time.
-- Of a batch this goes for the operations that showed it, and the rest stays. All that the organisation keeps
-- are read: cut at the ids that they show, which in a batch stand in a text of their own, that takes a fraction of what a pattern takes.
create function caller.forget_answers(organisation uuid, ids uuid[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  showing record;
begin
  for showing in -- and not joined with themselves, which would sort all that are kept to write a few
    select record.key_id, record.digest, record.ring_day, record.body, left(record.body, 1) = '[' as is_batch
    from app.idempotency_records record
    where record.organisation_id = organisation
      and record.body like '%lawfulBasis%'
      and exists (
        select from string_to_table(record.body, case left(record.body, 1) when '[' then 'id\":\"' else 'id":"' end) part
        where (left(part, 36) in (select unnest(ids)::text)) is true -- so that it is hashed, once, and not joined anew for each
      )
  loop
    update app.idempotency_records record
    set
      status = case when showing.is_batch then record.status end,
      refusal = case when not showing.is_batch then 'not_found' end,
      body = case when showing.is_batch then caller.without(showing.body::jsonb, ids)::text end
    where record.organisation_id = organisation and record.key_id = showing.key_id and record.digest = showing.digest
      and record.ring_day = showing.ring_day;
  end loop;
end
$$;

-- Cards that would write about them, answered or not. Withdrawn first, so that no mail leaves for them any more; and as
-- ever the run is locked before its cards are.
create function caller.forget_proposals(organisation uuid, about app.subject_kind, spelled text) returns uuid[]
language plpgsql
set search_path = ''
as $$
declare
  cards uuid[];
begin
  select coalesce(array_agg(locked.id), '{}') into cards
  from (
    select card.id
    from app.approvals card
    join app.runs run on run.organisation_id = card.organisation_id and run.id = card.run_id
    where card.organisation_id = organisation
      and card.kind = 'memory'
      and card.proposal ->> 'subjectKind' = about::text
      and search.spelled(card.proposal ->> 'subject') = spelled
    order by run.id, card.id
    for no key update of run
  ) locked;
  update app.approvals card
  set state = 'withdrawn'
  where card.organisation_id = organisation and card.id = any (cards) and card.state = 'pending';
  delete from app.approvals card where card.organisation_id = organisation and card.id = any (cards);
  return cards;
end
$$;
comment on function caller.forget_proposals is 'Answers the ids of the cards that went.';

-- So much as there is time for within a statement: five thousand claims, and five thousand times that such had changed.
create function caller.erase(about app.subject_kind, spelled text) returns app.erasures
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: a key of scope admin, or an operator's act, and the organisation it is for.
declare
  organisation constant uuid := caller.organisation_id();
  at_most constant integer := 5000;
  claims uuid[];
  changes uuid[];
  changed uuid[];
  cards uuid[];
  is_complete boolean;
  receipt app.erasures;
begin
  if organisation is null or caller.scope() is distinct from 'admin' then
    perform caller.refuse('unauthenticated');
  end if;
  -- First, since an answer that is being given may still land what was proposed: it is waited for, and what follows sees it.
  cards := caller.forget_proposals(organisation, about, spelled);
  with gone as (
    delete from app.memories memory
    where memory.organisation_id = organisation and memory.id = any (array(
      select held.id from app.memories held
      where held.organisation_id = organisation and held.subject_kind = about and held.subject_key = spelled
      order by held.id
      limit at_most
    ))
    returning memory.id
  )
  select coalesce(array_agg(id), '{}') into claims from gone;
  -- What the deletion above has just put there is no change that anybody made.
  delete from app.memory_history former
  where former.organisation_id = organisation and former.memory_id = any (claims) and former.change = 'deleted';
  with gone as (
    delete from app.memory_history former
    where former.organisation_id = organisation and former.id = any (array(
      select held.id from app.memory_history held
      where held.organisation_id = organisation and held.subject_kind = about and held.subject_key = spelled
      limit at_most
    ))
    returning former.id, former.memory_id
  )
  select coalesce(array_agg(id), '{}'), array_agg(memory_id) into changes, changed from gone;
  is_complete := not exists (
    select from app.memories held
    where held.organisation_id = organisation and held.subject_kind = about and held.subject_key = spelled
  ) and not exists (
    select from app.memory_history held
    where held.organisation_id = organisation and held.subject_kind = about and held.subject_key = spelled
  );
  perform caller.forget_answers(organisation, claims || changes || changed || cards);
  insert into app.erasures (
    organisation_id, erased_by, key_id, operator, subject_kind, proposals, memories, history, complete
  )
  values (
    organisation, caller.person_id(), caller.key_id(), case when caller.key_id() is null then caller.operator() end,
    about, cardinality(cards), cardinality(claims), cardinality(changes), is_complete
  )
  returning * into receipt;
  return receipt;
end
$$;
comment on function caller.erase is 'Instead of row-level security: a key of scope admin for its own organisation, or an operator''s act for the one that it names.';

create function api.erase_memories(input jsonb) returns text
language sql
as $$
  select row_to_json(receipt)::text
  from (
    select erased.id, rows.time(erased.erased_at) as "erasedAt", erased.memories, erased.history, erased.proposals,
      erased.complete
    from caller.erase((input ->> 'subjectKind')::app.subject_kind, search.spelled(input ->> 'subject')) erased
  ) receipt
$$;
