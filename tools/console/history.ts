/**
 * Inserts one day of past activity before the screenshots: deliveries with their attempts, runs, and request counts. The
 * numbers are the same in every run, so that screenshots of two versions can be compared.
 */
import type { TestDatabase } from "../../test/support/database.ts";

type HistoryIds = { organisation: string; endpoint: string; bot: string; person: string };

/** Runs statements without triggers, as a restore would. */
const withoutTriggers = (text: string) => `begin; set local session_replication_role = replica; ${text}; commit`;

/** SQL expressions: the load over the day as a sine curve, and an outage from 70 to 40 minutes ago. */
const loadFactor = "(1.3 + sin(extract(epoch from at) / 86400 * 2 * pi() - 2.2))";
const outage = "(at between now() - interval '70 minutes' and now() - interval '40 minutes')";

export async function history(db: TestDatabase, { organisation, endpoint, bot, person }: HistoryIds): Promise<void> {
  await db.sql(
    withoutTriggers(`
      create temporary table moment on commit drop as
      select at, n, (n * 7919) % 100 as percentile
      from generate_series(1, 9000) n,
        lateral (select now() - make_interval(secs => n * 9.6 + (n * 37) % 11) as at) spread
      where (n * 104729) % 100 < 35 * ${loadFactor};

      with sent as (
        insert into app.deliveries (organisation_id, id, endpoint_id, event_id, event, state, attempts, max_attempts,
          last_attempt_at, next_attempt_at, delivered_at, last_status_code)
        select '${organisation}', uuidv7(at - now()), '${endpoint}', uuidv7(at - now()), 'run.finished',
          case when percentile < 2 then 'failed' else 'delivered' end::app.delivery_state, 1, 5, at, null,
          case when percentile >= 2 then at end, case when percentile < 2 then 503 else 200 end
        from moment
        returning id, endpoint_id, created_at, last_attempt_at as at
      )
      insert into app.delivery_attempts (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms,
        status_code)
      select '${organisation}', id, endpoint_id, 1, 'scheduled', at,
        (40 + 30 * abs(sin(extract(epoch from at))) + case when ${outage} then 900 * abs(sin(extract(epoch from at) / 3)) else 0 end)::integer,
        case when ${outage} and abs(sin(extract(epoch from at) * 13)) > 0.55 then 503
          when abs(sin(extract(epoch from at) * 7)) > 0.9996 then 500 else 200 end
      from sent;

      insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, state, trigger, steps, spend_micro_cents,
        error, finished_at)
      select '${organisation}', uuidv7(at - now()), '${bot}', (select id from app.conversations limit 1), '${person}',
        case when percentile < 4 or (${outage} and percentile < 30) then 'failed' when percentile < 7 then 'cancelled' else 'completed' end::app.run_state,
        'api', 1 + percentile % 4, 100000 * percentile, case when percentile < 4 then 'executor_failed' end::app.run_error, at + interval '4 seconds'
      from moment
      where n % 3 = 0;

      insert into app.request_minutes (organisation_id, minute, answered, refused, limited, failed)
      select '${organisation}', at, (60 * ${loadFactor})::integer, (4 * ${loadFactor} + extract(minute from at)::integer % 3)::integer,
        case when extract(minute from at)::integer % 17 = 0 then 9 else 0 end, case when ${outage} then 6 else 0 end
      from generate_series(date_trunc('minute', now(), 'UTC') - interval '24 hours', now(), interval '1 minute') at
      on conflict do nothing`),
  );
}
