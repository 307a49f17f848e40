/*
 * Exports that expired a day ago: unfinished ones, and finished ones after 30 days. The audit log keeps the digest of the manifest.
 */
create function jobs.delete_old_exports(at_most integer default 100) returns integer
language sql
security definer set search_path = ''
as $$
  with expired as (
    select export.organisation_id, export.id
    from app.exports export
    where export.expires_at < now() - interval '1 day'
    order by export.expires_at
    limit at_most
    for update skip locked
  ), deleted as (
    delete from app.exports export
    using expired
    where export.organisation_id = expired.organisation_id and export.id = expired.id
    returning 1
  )
  select count(*)::integer from deleted
$$;
comment on function jobs.delete_old_exports is 'Instead of row-level security: only worker may execute it. Deletes exports that expired a day ago, with their parts, and returns no row. At most 100 a call; returns how many.';
grant execute on function jobs.delete_old_exports to worker;
