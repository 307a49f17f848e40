/*
 * Metadata of runs: at most 20 pairs, found by the erasure of a subject. (docs/specification/runs.md#metadata)
 */
create function triggers.tg_run_metadata__set_digest() returns trigger
language plpgsql
as $$
begin
  new.value_digest := erasure.digest_of(names.spelled(new.value));
  return new;
end
$$;
comment on function triggers.tg_run_metadata__set_digest is 'Sets the digest by which the erasure of a subject finds the value.';

create trigger _050_set_digest before insert on app.run_metadata
  for each row execute function triggers.tg_run_metadata__set_digest();

create function triggers.tg_run_metadata__refuse_too_many() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  if exists (
    select from inserted
    join app.run_metadata pair on pair.organisation_id = inserted.organisation_id and pair.run_id = inserted.run_id
    group by inserted.organisation_id, inserted.run_id
    having count(distinct pair.key) > 20
  ) then
    perform errors.refuse('invalid_request', '[{"path":"body.metadata","message":"must have at most 20 pairs"}]');
  end if;
  return null;
end
$$;
comment on function triggers.tg_run_metadata__refuse_too_many is 'Instead of row-level security: pair.organisation_id = inserted.organisation_id. Refuses more than 20 pairs of a run.';

create trigger _500_refuse_too_many after insert on app.run_metadata
  referencing new table as inserted
  for each statement execute function triggers.tg_run_metadata__refuse_too_many();
