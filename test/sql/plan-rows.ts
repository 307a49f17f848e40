/** Thousands of rows for the tests of plans, written without triggers. */
import { makeOrganisation, type TestDatabase } from "../support/database.ts";

/** How far the rows reach back before this week. */
export const weeks = 6;

/**
 * Two organisations with ten endpoints each, and 2,000 events a week. Each event has a delivery, an attempt and an
 * entry of the audit log with the delivery's id and its endpoint as resource. One delivery in a hundred has failed, one
 * in five hundred is of another event, and one in ten of the last day is pending. Written without triggers: no job is queued.
 */
export async function fillDeliveries(db: TestDatabase): Promise<void> {
  await makeOrganisation(db);
  await db.sql(`
    begin;
    set local session_replication_role = replica;
    select jobs.make_week(date_trunc('week', now(), 'UTC') - week * interval '7 days') from generate_series(1, ${weeks}) week
    where to_regclass('partitions.events_' || to_char((date_trunc('week', now(), 'UTC') - week * interval '7 days') at time zone 'UTC', 'YYYYMMDD')) is null;
    insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
    select id, 'https://receiver.example/', '{run.finished}', 'sealed' from app.organisations, generate_series(1, 10);
    create temporary table made as
    select endpoint.organisation_id, endpoint.id as endpoint_id, age, number,
      uuidv7(-age) as event_id, uuidv7(-age + interval '1 ms') as delivery_id
    from generate_series(1, ${weeks * 2000}) number,
      lateral (select number * interval '7 days' / 2000) as aged (age),
      lateral (
        select organisation_id, id from app.webhook_endpoints order by id offset abs(hashint4(number)) % 20 limit 1
      ) endpoint;
    insert into app.events (organisation_id, id, kind, data, run_id, position)
    select organisation_id, event_id, 'run.finished', '{}', event_id, ${weeks * 2000} - number + 3 from made; -- each of its own run
    update app.audit_chain_heads set event_position = ${weeks * 2000 + 2};
    insert into app.deliveries (organisation_id, id, endpoint_id, event_id, event, state, max_attempts, attempts,
      next_attempt_at, delivered_at)
    select organisation_id, delivery_id, endpoint_id, event_id,
      (case when number % 500 = 3 then 'approval.needed' else 'run.finished' end)::app.event_kind, state, 5, 1,
      case when state = 'pending' then now() - interval '1 minute' end,
      case when state = 'delivered' then uuid_extract_timestamp(delivery_id) end
    from made, lateral (
      select case when number % 10 = 0 and age < interval '1 day' then 'pending' when number % 100 = 1 then 'failed'
        else 'delivered' end::app.delivery_state as state
    ) as stated;
    insert into app.delivery_attempts (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms)
    select organisation_id, delivery_id, endpoint_id, 1, 'scheduled', uuid_extract_timestamp(delivery_id), 5 from made;
    insert into app.audit_log (organisation_id, id, sequence, actor, action, resource, resource_id, changed, hash)
    select organisation_id, delivery_id, number, 'system', 'updated', 'webhook', endpoint_id, '{state}', '' from made;
    drop table made;
    commit`);
}

/**
 * Two organisations with 6,000 memories and 6,000 runs each, from six weeks. Each run has a step, and each run of the
 * first week three pairs of metadata. Ten memories have the same subject, of both organisations, and one in a hundred subjects is contested. In each organisation
 * one run in a thousand is queued, in a conversation of its own. As many or fewer are in each other rare state; most
 * are completed, and were started by the API. Each run's conversation has an expired key of a person; a quarter of these
 * are revoked. A second bot of each organisation has no runs. The idempotent responses are from the last two days.
 */
export async function fillRuns(db: TestDatabase, executor: string): Promise<void> {
  await db.sql(`
    insert into app.executors (id, name, models) values ('${executor}', 'plans', '{recall}');
    insert into app.bots (organisation_id, name, owner_id)
    select organisation_id, 'Ada', person_id from app.memberships where role = 'owner';
    insert into app.bots (organisation_id, name, owner_id)
    select organisation_id, 'Idle', person_id from app.memberships where role = 'owner';
    begin;
    set local session_replication_role = replica;
    select jobs.make_week(date_trunc('week', now(), 'UTC') - week * interval '7 days') from generate_series(1, ${weeks}) week;
    insert into app.people (email) select 'person' || n || '@example.test' from generate_series(1, 1500) n;
    insert into app.conversations (organisation_id, bot_id, person_id)
    select bot.organisation_id, bot.id, person.id from app.bots bot, app.people person where bot.name = 'Ada';
    create temporary table made as
    select talk.organisation_id, talk.bot_id, talk.id as conversation_id, talk.person_id, age, number,
      uuidv7(-age) as id, number % 1000 < 2 as waits
    from generate_series(12000, 1, -1) number,
      lateral (select number * interval '42 days' / 12000) as aged (age),
      lateral (
        select * from (select *, row_number() over (order by organisation_id, id) as place from app.conversations) talk
        where place = 1 + number * 1501 % 3000
      ) talk;
    insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, steps, finished_at)
    select organisation_id, id, bot_id, conversation_id, person_id,
      (case number % 1000 when 600 then 'routine' when 601 then 'webhook' when 602 then 'message' else 'api' end)::app.run_trigger,
      (case when waits then 'queued' else state end)::app.run_state, 1,
      case when not waits and state in ('completed', 'failed', 'cancelled') then now() end
    from made, lateral (
      select case number % 1000 when 500 then 'failed' when 501 then 'cancelled' when 503 then 'blocked'
        else case when number in (502, 1502, 2502) then 'waiting_approval' else 'completed' end end
    ) as ended (state);
    update app.conversations talk set next_run_id = made.id, next_model = 'recall', next_since = uuid_extract_timestamp(made.id) from made
    where made.waits and talk.organisation_id = made.organisation_id and talk.id = made.conversation_id;
    insert into app.api_keys (organisation_id, name, prefix, digest, scope, created_by, expires_at, revoked_at)
    select organisation_id, 'CI', 'bsk_01234567', sha256(id::text::bytea), 'read', person_id,
      now() - age, case when number % 4 = 0 then now() end
    from made;
    insert into app.run_metadata (organisation_id, run_id, key, value, value_digest)
    select organisation_id, id, pair.key, pair.value, sha256(pair.value::bytea)
    from made, lateral (values ('number', number::text), ('parity', case when number % 2 = 0 then 'even' else 'odd' end),
      ('half', (number / 6000)::text)) pair (key, value)
    where number > 10000;
    insert into app.steps (organisation_id, run_id, number, kind) select organisation_id, id, 1, 'answer' from made;
    insert into app.run_events (organisation_id, run_id, number, state, taint, steps, spend_micro_cents)
    select organisation_id, id, 1, 'queued', false, 0, 0 from made;
    insert into app.run_events (organisation_id, run_id, number, step_number) select organisation_id, id, 2, 1 from made;
    insert into app.memories (organisation_id, id, scope, kind, subject, value, provenance, source, search_vector, contested)
    select organisation_id, id, 'organisation', 'fact', 'We ' || number / 10, 'We keep w' || number, 'member', 'app',
      search.vector('english', 'We', 'fact', 'We keep w' || number), number / 10 % 100 = 0
    from made;
    insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, status, body, request_id, created_at, day_partition)
    select organisation_id, bot_id, sha256(id::text::bytea), sha256(''), 201, '{}', id, now() - age / 21, times.day_partition(now() - age / 21)
    from made;
    commit;
    drop table made;
    analyze app.memories, app.runs, app.run_metadata, app.conversations, app.api_keys`);
}
