/*
 * The trail is written as the transaction commits, by deferred triggers, because an entry needs its organisation's head:
 * whoever has it makes every other write of that organisation wait until the commit is done. So heads are locked last,
 * by everybody, and whoever waits for one is waiting for somebody who waits for nothing.
 *
 * Deferred triggers fire in the order in which rows were written, and others than ours lock something too. Where a
 * transaction has such work, or may write for several organisations, its entries are drafts at first: rows of a table
 * whose own deferred trigger comes after all that was queued before. There heads are locked in the order of their ids.
 */
create function triggers.trail(
  organisation uuid, resource text, subject uuid, action app.audit_action, changed text[], before json, after json
) returns boolean
language plpgsql
as $$
declare
  actor app.audit_actor := 'key';
  key uuid;
  person uuid;
  operator text;
  reason text;
  request uuid;
  id constant uuid := uuidv7();
  said text;
  head app.audit_heads;
  told text;
begin
  -- Settings are believed where caller.authenticate makes them anew with every call, and those of the console to it.
  if session_user = 'server' then
    key := caller.key_id();
    person := caller.person_id();
    request := caller.request_id();
    if key is null then
      key := coalesce(caller.platform_key_id(), caller.invitation_id(), caller.approval_id(), caller.hook_id());
      actor := case key
        when caller.platform_key_id() then 'platform_key'
        when caller.invitation_id() then 'invitation'
        when caller.approval_id() then 'approval'
        when caller.hook_id() then 'hook'
      end;
    end if;
  else
    actor := triggers.actor(session_user);
    if actor = 'operator' then
      operator := caller.operator();
      reason := nullif(current_setting('caller.reason', true), '');
      request := caller.request_id();
    end if;
  end if;

  if session_user = 'server' and current_setting('trail.waits', true) is distinct from 'yes' then
    said := audit.entry_text(
      actor, key, person, operator, reason, request, action, resource, subject, changed, before, after
    );
    update app.audit_heads held
    set
      sequence = held.sequence + 1,
      entry_id = triggers.later(id, held.entry_id),
      hash = audit.entry_hash(held.hash, organisation, held.sequence + 1, triggers.later(id, held.entry_id), said)
    where held.organisation_id = organisation
    returning held.sequence, held.entry_id, held.hash into head.sequence, head.entry_id, head.hash;
    if found then
      insert into app.audit_trail (
        organisation_id, id, sequence, actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id,
        changed, before, after, hash
      )
      values (
        organisation, head.entry_id, head.sequence, actor, key, person, operator, reason, request, action, resource, subject,
        changed, before, after, head.hash
      );
      told := set_config('trail.waits', 'yes', true); -- further entries come together, and move the head once
      return true;
    end if;
  end if;

  insert into app.audit_drafts (
    organisation_id, actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id, changed,
    before, after
  )
  values (
    organisation, actor, key, person, operator, reason, request, action, resource, subject, changed, before, after
  );
  return true;
end
$$;
comment on function triggers.trail is 'Adds an entry to the trail of an organisation. For definer functions of triggers alone.';

create function triggers.next_id(last uuid) returns uuid
language sql immutable parallel safe
as $$
  select (left(hex, 17) || lpad(to_hex(('x' || right(hex, 15))::bit(60)::bigint + 1), 15, '0'))::uuid
  from replace(last::text, '-', '') hex
$$;
comment on function triggers.next_id is 'The UUID after this one, of the same time.';

-- Ids are made before the head is waited for, and clocks are set back.
create function triggers.later(id uuid, last uuid) returns uuid
language sql immutable parallel safe
as $$ select case when id <= last then triggers.next_id(last) else id end $$;
comment on function triggers.later is 'This id, or the one next to the last where it is not greater: so ids are in the order of their numbers.';

create function triggers.actor(login name) returns app.audit_actor
language sql stable
set search_path = ''
as $$
  select case
    when login = 'worker' then 'worker'
    when login = 'operator' then 'operator'
    when login = 'runner' or exists (
      select from pg_catalog.pg_auth_members granted
      join pg_catalog.pg_roles executor on executor.oid = granted.member
      where granted.roleid = 'runner'::regrole and executor.rolname = login
    ) then 'executor'
    else 'system'
  end::app.audit_actor
$$;
comment on function triggers.actor is 'Who a session is by its login, when it is not the API''s. System is whoever installs and administers the database.';

create function triggers.picked(names text[], of json) returns json
language sql immutable parallel safe
as $$ select json_object_agg(key, value) from json_each(of) where key = any (names) $$;
comment on function triggers.picked is 'The fields of these names; null when there are none.';

-- A trail has a head before it has an entry. Rows that were restored without triggers have none, and must not keep their
-- organisation from writing; where a head was lost, the numbers that come twice are what audit.verify_chain finds.
create function triggers.begin_trail(organisation uuid) returns void
language sql
as $$
  insert into app.audit_heads (organisation_id, hash) values (organisation, sha256(convert_to(organisation::text, 'UTF8')))
  on conflict do nothing
$$;
comment on function triggers.begin_trail is 'Writes the head of an organisation that has none. For definer functions of triggers alone.';

create function triggers.tg_audit_drafts__trail() returns trigger
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
as $$
-- In place of row-level security: it moves the drafts of this transaction into the trails that they are for. Those of
-- others are never seen: they are gone when their transaction commits.
declare
  organisation uuid;
  head app.audit_heads;
  draft app.audit_drafts;
begin
  if not exists (select from app.audit_drafts held where held.id = new.id) then
    return null; -- it came along with the first
  end if;
  for organisation in
    select distinct held.organisation_id from app.audit_drafts held where held.id >= new.id order by held.organisation_id
  loop
    loop
      select held.* into head
      from app.audit_heads held
      where held.organisation_id = organisation
      for no key update;
      exit when found;
      perform triggers.begin_trail(organisation);
    end loop;
    for draft in
      select * from app.audit_drafts held
      where held.id >= new.id and held.organisation_id = organisation
      order by held.id
    loop
      head.sequence := head.sequence + 1;
      head.entry_id := triggers.later(draft.id, head.entry_id);
      head.hash := audit.entry_hash(
        head.hash, organisation, head.sequence, head.entry_id,
        audit.entry_text(
          draft.actor, draft.key_id, draft.person_id, draft.operator, draft.reason, draft.request_id, draft.action,
          draft.resource, draft.resource_id, draft.changed, draft.before, draft.after
        )
      );
      insert into app.audit_trail (
        organisation_id, id, sequence, actor, key_id, person_id, operator, reason, request_id, action, resource,
        resource_id, changed, before, after, hash
      )
      values (
        organisation, head.entry_id, head.sequence, draft.actor, draft.key_id, draft.person_id, draft.operator,
        draft.reason, draft.request_id, draft.action, draft.resource, draft.resource_id, draft.changed, draft.before,
        draft.after, head.hash
      );
    end loop;
    update app.audit_heads held
    set sequence = head.sequence, entry_id = head.entry_id, hash = head.hash
    where held.organisation_id = organisation;
  end loop;
  delete from app.audit_drafts held where held.id >= new.id;
  return null;
end
$$;
comment on function triggers.tg_audit_drafts__trail is 'Instead of row-level security: moves the drafts of this transaction into the trails that they are for.';

create constraint trigger _900_trail after insert on app.audit_drafts
  deferrable initially deferred
  for each row execute function triggers.tg_audit_drafts__trail();

/*
 * Tables whose deferred triggers lock something: from the first write to one of them, entries of this transaction wait
 * for that. Only the API would not make them wait anyhow.
 */
create function triggers.let_trail_wait() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  told text := set_config('trail.waits', 'yes', true);
begin
  return null;
end
$$;

create trigger _900_let_trail_wait after insert or update on app.runs
  for each statement when (session_user = 'server') execute function triggers.let_trail_wait();
create trigger _900_let_trail_wait after insert or update on app.deliveries
  for each statement when (session_user = 'server') execute function triggers.let_trail_wait();
create trigger _900_let_trail_wait after update on app.bots
  for each statement when (session_user = 'server') execute function triggers.let_trail_wait();

create function triggers.tg_organisations__begin_trail() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes the head of the new organisation alone.
begin
  perform triggers.begin_trail(new.id);
  return null;
end
$$;
comment on function triggers.tg_organisations__begin_trail is 'Instead of row-level security: writes the head of the new organisation alone.';

create trigger _500_begin_trail after insert on app.organisations
  for each row execute function triggers.tg_organisations__begin_trail();

/*
 * An entry stays as it was written until its week is dropped. Each partition has the row's trigger too.
 */
create function triggers.refuse_to_rewrite_trail() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  raise restrict_violation using message = 'an entry of the trail stays as it is until its partition is dropped';
end
$$;

create trigger _100_refuse_to_rewrite before update or delete on app.audit_trail
  for each row execute function triggers.refuse_to_rewrite_trail();
create trigger _100_refuse_to_truncate before truncate on app.audit_trail
  for each statement execute function triggers.refuse_to_rewrite_trail();
