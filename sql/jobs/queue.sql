/*
 * Queueing. A job of deliveries is a visit to an endpoint: it names the endpoint and no delivery, has no key, and finds
 * out what is due when it comes. So two who write at once never wait for each other, one visit too many finds nothing
 * to do, and one too few is made up for by jobs.sweep. (docs/decisions.md, "Visits".)
 */
create function jobs.clock() returns timestamptz
language sql stable
set search_path = ''
as $$ select now() $$;
comment on function jobs.clock is 'The time by which attempts are due. The database''s own clock; a test database puts a movable one in its place.';

create function jobs.queue_visit(
  organisation uuid, endpoint uuid, due timestamptz default null, again boolean default false
) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: it reads and writes no row of a tenant. Its owner alone may call it.
  select graphile_worker.add_job(
    'visit_endpoint',
    json_build_object('organisationId', organisation, 'endpointId', endpoint),
    run_at => due,
    priority => case when again then 1 else 0 end
  )
$$;
comment on function jobs.queue_visit is 'Instead of row-level security: only its owner may call it, and it touches no row of a tenant. A visit that goes on where another left off (again) lets all others go first.';

create function jobs.queue_mail(organisation uuid, mail uuid) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: it reads and writes no row of a tenant. Its owner alone may call it.
  select graphile_worker.add_job(
    'send_mail',
    json_build_object('organisationId', organisation, 'mailId', mail),
    job_key => 'mail:' || mail::text
  )
$$;
comment on function jobs.queue_mail is 'Instead of row-level security: only its owner may call it, and it touches no row of a tenant.';
