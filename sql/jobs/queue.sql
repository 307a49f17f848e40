/*
 * Queueing. A delivery job names an endpoint, no delivery, has no key, and looks up due deliveries when it starts. So
 * concurrent writers never wait for each other, and a superfluous job does nothing. jobs.run_maintenance replaces a
 * missing one. (docs/decisions/0024-deliveries.md)
 */
create function jobs.queue_endpoint(
  organisation uuid, endpoint uuid, due timestamptz default null, again boolean default false
) returns void
language sql
security definer set search_path = ''
as $$
  select graphile_worker.add_job(
    'deliver_to_endpoint',
    json_build_object('organisationId', organisation, 'endpointId', endpoint),
    run_at => due,
    priority => case when again then 1 else 0 end
  )
$$;
comment on function jobs.queue_endpoint is 'Instead of row-level security: only owner may execute it, and it touches no row of a tenant. again: the job continues an earlier one, and runs after all others that wait.';

create function jobs.queue_mail(organisation uuid, mail uuid) returns void
language sql
security definer set search_path = ''
as $$
  select graphile_worker.add_job(
    'send_mail',
    json_build_object('organisationId', organisation, 'mailId', mail),
    job_key => 'mail:' || mail::text
  )
$$;
comment on function jobs.queue_mail is 'Instead of row-level security: only owner may execute it, and it touches no row of a tenant.';

create function jobs.queue_audit_stream(organisation uuid, due timestamptz default null) returns void
language sql
security definer set search_path = ''
as $$
  select graphile_worker.add_job('stream_audit_log', json_build_object('organisationId', organisation), run_at => due)
$$;
comment on function jobs.queue_audit_stream is 'Instead of row-level security: only owner may execute it, and it touches no row of a tenant.';
