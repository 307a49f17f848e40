/*
 * Queueing. A job names its row; the row decides what is to be done. The job's key keeps two from waiting for the same
 * row. Where add_job gives way to another session's job, jobs.sweep makes up for it.
 */
create function jobs.clock() returns timestamptz
language sql stable
set search_path = ''
as $$ select now() $$;
comment on function jobs.clock is 'The time by which attempts are due. The database''s own clock; a test database puts a movable one in its place.';

create function jobs.queue_delivery(organisation uuid, delivery uuid, due timestamptz) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: it reads and writes no row of a tenant. Its owner alone may call it.
  select graphile_worker.add_job(
    'deliver_webhook',
    json_build_object('organisationId', organisation, 'deliveryId', delivery),
    run_at => due,
    job_key => 'delivery:' || delivery::text
  )
$$;
comment on function jobs.queue_delivery is 'Instead of row-level security: only its owner may call it, and it touches no row of a tenant.';

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
