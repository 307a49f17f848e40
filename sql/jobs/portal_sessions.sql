/*
 * Portal sessions that ended a day ago. The audit log keeps who opened them.
 */
create function jobs.delete_old_portal_sessions(at_most integer default 5000) returns integer
language sql
security definer set search_path = ''
as $$
  with expired as (
    select session.organisation_id, session.id
    from app.portal_sessions session
    where session.expires_at < now() - interval '1 day'
    order by session.expires_at
    limit at_most
    for update skip locked
  ), deleted as (
    delete from app.portal_sessions session
    using expired
    where session.organisation_id = expired.organisation_id and session.id = expired.id
    returning 1
  )
  select count(*)::integer from deleted
$$;
comment on function jobs.delete_old_portal_sessions is 'Instead of row-level security: only worker may execute it. Deletes sessions that ended a day ago, and returns no row. At most 5,000 a call; returns how many.';
grant execute on function jobs.delete_old_portal_sessions to worker;
