/*
 * Authorization codes that expired a day ago. Until then a second exchange of one still revokes its key.
 */
create function jobs.delete_old_authorization_codes(at_most integer default 5000) returns integer
language sql
security definer set search_path = ''
as $$
  with expired as (
    select code.organisation_id, code.id
    from app.authorization_codes code
    where code.expires_at < now() - interval '1 day'
    order by code.expires_at
    limit at_most
    for update skip locked
  ), deleted as (
    delete from app.authorization_codes code
    using expired
    where code.organisation_id = expired.organisation_id and code.id = expired.id
    returning 1
  )
  select count(*)::integer from deleted
$$;
comment on function jobs.delete_old_authorization_codes is 'Instead of row-level security: only worker may execute it. Deletes codes that expired a day ago, and returns no row. At most 5,000 a call; returns how many.';
grant execute on function jobs.delete_old_authorization_codes to worker;
