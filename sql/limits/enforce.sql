/*
 * Enforcement of limits. A trigger locks the organisation's row first and counts in a later statement: so a limit holds
 * under any concurrency. The lock is the weakest that excludes itself, and does not wait for the foreign keys of other
 * writes. (docs/specification/organisation-and-me.md#limits)
 */
create function limits.lock_organisation(organisation uuid) returns app.organisations
language sql
security definer set search_path = ''
as $$
  select organisations from app.organisations where organisations.id = organisation for no key update
$$;
comment on function limits.lock_organisation is 'Instead of row-level security: only owner may execute it, in triggers for the organisation of the row being written, and in definer functions for the organisation they act in.';

create function limits.announce_reached(organisation uuid, name text, maximum bigint, used bigint) returns void
language plpgsql
as $$
begin
  if triggers.is_subscribed(organisation, 'organisation.limit_reached') then
    insert into app.events (organisation_id, kind, data)
    values (
      organisation, 'organisation.limit_reached',
      json_build_object('limit', name, 'maximum', maximum, 'used', used)
    );
  end if;
end
$$;
comment on function limits.announce_reached is 'Announces that a write uses the limit up. For definer functions.';

-- A new run is numbered before its limit is checked, so its number says what an hour before it is to be subtracted from.
create function limits.counting(name text) returns text
language sql
as $$
  select case
    when of_starts.part is null then format(
      $sql$(
          select coalesce(sum(counted.amount), 0)
          from limits.counted
          where counted.organisation_id = new.organisation_id and counted.name = %L
            and (tg_nargs = 0 or counted.part = measured)
        )$sql$, name
    )
    else format(
      $sql$coalesce(new.%1$I - (
          select before.%2$I from limits.starts_before_hour before where before.organisation_id = new.organisation_id
        ), 0)$sql$, of_starts.part || '_before', of_starts.part
    )
  end
  from (
    values (case name
      when 'runStartsPerHour' then 'scripts' when 'routineStartsPerHour' then 'routines' when 'webhookStartsPerHour' then 'webhooks'
    end)
  ) of_starts (part)
$$;
comment on function limits.counting is 'The expression in a trigger function that counts what a limit counts, before the row being written.';

/*
 * One trigger function for each limit, all with this text: with the name as a constant, the plan has only the count of
 * this limit. A parameter would start the counts of all limits. A limit per part of the organisation has one argument, the
 * column with the part.
 */
create procedure limits.make_triggers()
language plpgsql
as $$
declare
  defined record;
begin
  for defined in
    select name, 'enforce_' || lower(regexp_replace(name, '([A-Z])', '_\1', 'g')) as function
    from app.limits where reason is not null
  loop
    execute format($function$
      create function limits.%1$I() returns trigger
      language plpgsql security definer set search_path = ''
      as $body$
      declare
        measured constant text := case tg_nargs when 1 then names.address(to_jsonb(new) ->> tg_argv[0]) end;
        locked app.organisations := limits.lock_organisation(new.organisation_id); -- unused
        reached record;
      begin
        select maximums.reason, maximums.maximum, maximums.maximum - %3$s as remaining into reached
        from limits.maximums
        where maximums.organisation_id = new.organisation_id and maximums.name = %2$L;
        if reached.remaining <= 0 then
          perform errors.refuse('quota_exceeded', reason => reached.reason);
        elsif reached.remaining = 1 then
          perform limits.announce_reached(new.organisation_id, %2$L, reached.maximum, reached.maximum);
        end if;
        return new;
      end
      $body$;
      comment on function limits.%1$I is 'Instead of row-level security: maximums.organisation_id = new.organisation_id. Refuses a row beyond the limit, and announces the row that reaches it.';
    $function$, defined.function, defined.name, limits.counting(defined.name));
  end loop;
end
$$;
comment on procedure limits.make_triggers is 'Makes the trigger function of each limit, for example limits.enforce_live_keys. Called by botstead migrate.';
