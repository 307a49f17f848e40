/** The faults that provoke the alerts, in the database of an installation. */
import type { TestDatabase } from "../support/database.ts";

type Sql = TestDatabase["sql"];

/** The console begins its audit with the first scrape. */
export async function preventAudit(sql: Sql): Promise<void> {
  await sql("revoke execute on function operator.count_audit_findings() from operator");
}

export async function allowAudit(sql: Sql): Promise<void> {
  await sql("grant execute on function operator.count_audit_findings() to operator");
}

/**
 * Old rows and wrong states, as if workers had not run for hours. Triggers are off, since they would start work.
 * A board shows dead rows of tables with more than 1,000 rows.
 */
export async function leaveWorkUndone(sql: Sql): Promise<void> {
  await sql(`
    begin;
    set local session_replication_role = replica;
    update app.executors set last_seen_at = now() - interval '5 minutes';
    insert into graphile_worker._private_jobs (task_id, payload, run_at, attempts, max_attempts)
    select task.id, '{}', now() - interval '1 hour', attempts, 25
    from graphile_worker._private_tasks task, unnest(array[0, 25]) attempts
    where task.identifier = 'rebuild_search_vectors';
    update app.mails set id = times.least_id(now() - interval '1 hour'), sent_at = null
    where id = (select max(id::text)::uuid from app.mails);
    update app.routines set next_firing_at = now() - interval '1 hour';
    update app.conversations set next_run_id = times.least_id(now() - interval '1 hour'), next_model = 'recall', next_since = now() - interval '1 hour'
    where id = (select max(id::text)::uuid from app.conversations);
    insert into app.deliveries (organisation_id, endpoint_id, event_id, event, max_attempts, next_attempt_at)
    select delivery.organisation_id, delivery.endpoint_id, delivery.event_id, delivery.event, 5, now() - interval '2 hours'
    from (select * from app.deliveries where state = 'delivered' limit 1) delivery, generate_series(1, 1200);
    commit`);
}

/** A version, credentials, partitions, a table and an audit log that are not as they should be, while no worker runs. */
export async function misconfigure(sql: Sql): Promise<void> {
  await sql(`
    insert into app.definition_builds (version, digest, server_version, built_by, compared_with_itself)
    values ('0', 'other', 0, 'test', true);
    insert into app.operator_tokens (id, name, digest, scope, expires_at)
    values (times.least_id(now() - interval '300 days'), 'old', sha256('old'), 'view', now() + interval '3 days');
    insert into app.operator_commands (id, operator, action, arguments)
    values (times.least_id(now() - interval '2 days'), 'test', 'back_up', '{"name": "old"}');
    create table app.stray (id integer);
    update app.audit_tree set checked_at = now() - interval '1 hour';
    insert into app.audit_faults (organisation_id, fault, sequence, last_sequence) values ('00000000-0000-0000-0000-000000000000', 'tree', 0, 0);
    do $$
    declare
      week text;
    begin
      for week in
        select relname from pg_class
        where relnamespace = 'partitions'::regnamespace and relname ~ '^delivery_attempts_\\d{8}$'
          and to_date(right(relname, 8), 'YYYYMMDD') > now()
      loop
        execute format('drop table partitions.%I', week);
      end loop;
    end
    $$`);
}

/** WAL that neither the archive nor the standby takes. Segments have 16 MiB. */
export async function writeSegments(sql: Sql, segments: number): Promise<void> {
  for (let segment = 0; segment < segments; segment += 1) {
    await sql("select pg_logical_emit_message(false, 'test', 'x')");
    await sql("select pg_switch_wal()");
  }
}
