/**
 * Gives an organisation many rows of every kind, spread over three weeks, as copies of the rows of test/sql/seed.ts.
 * Inserts skip triggers and checks, so that no job is queued and inserts are fast.
 */
import type { TestDatabase } from "./database.ts";

/**
 * @param ids of the organisation, by the names that test/sql/rows.ts uses
 * @param limitedTimes number of rows of each kind that has a limit per organisation
 */
export async function multiply(
  db: TestDatabase,
  ids: Record<string, string>,
  times: number,
  limitedTimes = times,
): Promise<void> {
  const id = (name: string) => `'${ids[name]}'::uuid`;
  const organisation = id("organisation");
  await db.sql(`
    begin;
    set local session_replication_role = replica;
    select jobs.make_week(monday)
    from generate_series(date_trunc('week', now(), 'UTC') - interval '4 weeks', now(), interval '7 days') monday
    where to_regclass('partitions.events_' || to_char(monday at time zone 'UTC', 'YYYYMMDD')) is null;

    create temporary table made on commit drop as
    select number, -number * interval '21 days' / ${times} as age, uuidv7() as person_id, uuidv7() as bot_id,
      uuidv7() as conversation_id, uuidv7(-number * interval '21 days' / ${times}) as run_id,
      uuidv7(-number * interval '21 days' / ${times}) as event_id, uuidv7(-number * interval '21 days' / ${times}) as delivery_id,
      uuidv7(-number * interval '21 days' / ${times}) as failed_id, sha256(uuidv7()::text::bytea) as digest
    from generate_series(${times}, 1, -1) number;

    insert into app.people (id, email) select person_id, person_id || '@example.test' from made;
    insert into app.memberships (organisation_id, person_id, role) select ${organisation}, person_id, 'member' from made where number <= ${limitedTimes};
    insert into app.api_keys (organisation_id, name, prefix, digest, scope, created_by, expires_at)
    select ${organisation}, 'copy', 'bsk_' || lpad(number::text, 8, '0'), digest, 'read', ${id("owner")}, now() + interval '1 day' from made where number <= ${limitedTimes};
    insert into app.invitations (organisation_id, email, role, invited_by, token_digest)
    select ${organisation}, 'guest@example.test', 'member', ${id("owner")}, digest from made where number <= ${limitedTimes};
    insert into app.mails (organisation_id, kind, recipient, data)
    select ${organisation}, 'welcome', person_id || '@example.test', '{}' from made;
    insert into app.bots (organisation_id, id, name, owner_id) select ${organisation}, bot_id, 'Copy', ${id("owner")} from made where number <= ${limitedTimes};
    insert into app.conversations (organisation_id, id, bot_id, person_id, next_run_id, next_model, next_since)
    select ${organisation}, conversation_id, ${id("bot")}, person_id, run_id, 'recall', uuid_extract_timestamp(run_id) from made;
    insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger)
    select ${organisation}, run_id, ${id("bot")}, conversation_id, person_id, 'api' from made;
    insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, error, finished_at)
    select ${organisation}, uuidv7(age), ${id("bot")}, conversation_id, person_id, 'api', 'failed', 'internal', now() from made
    where number % 10 = 0;
    insert into app.messages (organisation_id, id, conversation_id, run_id, author, text)
    select ${organisation}, uuidv7(age), conversation_id, run_id, 'person', 'Hello?' from made;
    insert into app.steps (organisation_id, run_id, number, kind) select ${organisation}, ${id("run")}, number + 1, 'answer' from made;
    insert into app.approvals (organisation_id, run_id, bot_id, conversation_id, person_id, kind, proposal, expires_at)
    select ${organisation}, ${id("run")}, ${id("bot")}, ${id("conversation")}, person_id, 'memory', '{}', now() + interval '7 days' from made;
    insert into app.routines (organisation_id, bot_id, name, schedule, time_zone, message, created_by)
    select ${organisation}, ${id("bot")}, 'Copy', '0 9 * * *', 'UTC', 'Hello', ${id("owner")} from made where number <= ${limitedTimes};
    insert into app.hooks (organisation_id, bot_id, name, secret_sealed, secret_digest, created_by)
    select ${organisation}, ${id("bot")}, 'Copy', 'sealed', digest, ${id("owner")} from made where number <= ${limitedTimes};
    insert into app.memories (organisation_id, id, scope, kind, subject, value, provenance, source, search_vector)
    select ${organisation}, uuidv7(age), 'organisation', 'fact', 'We', 'We are.', 'member', 'app', '' from made;
    insert into app.erasures (organisation_id, erased_by, key_id, subject_kind, memories, history, proposals)
    select ${organisation}, ${id("owner")}, ${id("admin_key")}, 'member', 1, 0, 0 from made;
    insert into app.third_party_restriction_changes (organisation_id, kind, change, reason)
    select ${organisation}, 'copy', 'restricted', 'copy' from made;
    insert into app.monthly_usage (organisation_id, month)
    select ${organisation}, '1900-01-01'::date + number from made where number <= ${limitedTimes};
    insert into app.webhook_endpoints (organisation_id, id, url, events, secret_sealed)
    select ${organisation}, bot_id, 'https://copy.example/', '{run.finished}', 'sealed' from made where number <= ${limitedTimes};
    insert into app.events (organisation_id, id, kind, data, position) select ${organisation}, event_id, 'run.finished', '{}', 1 from made;
    insert into app.deliveries (organisation_id, id, endpoint_id, event_id, event, state, max_attempts, next_attempt_at, delivered_at)
    select ${organisation}, delivery_id, ${id("endpoint")}, event_id, 'run.finished', state, 5,
      case when state = 'pending' then now() - number * interval '1 second' end, case when state = 'delivered' then now() end
    from made, lateral (
      select case when number % 10 = 0 then 'pending' when number % 10 = 1 then 'failed' else 'delivered' end::app.delivery_state as state
    ) stated;
    insert into app.delivery_attempts (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code)
    select ${organisation}, delivery_id, ${id("endpoint")}, 1, 'scheduled', now() + age, 5, 200 from made;
    insert into app.delivery_attempts (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code)
    select ${organisation}, ${id("test_delivery")}, ${id("endpoint")}, number + 1, 'manual', now(), 5, 500 from made where number <= 50;
    insert into app.audit_log (organisation_id, id, sequence, actor, request_id, action, resource, resource_id, changed, hash)
    -- All within this week, also when it has just begun.
    select ${organisation}, uuidv7((date_trunc('week', now(), 'UTC') - now()) * number / ${times}), 1000000 + number, 'system', uuidv7(), 'updated', 'webhook_endpoint', ${id("endpoint")}, '{state}', digest
    from made;
    insert into app.operator_actions (organisation_id, id, token_id, operator, action, arguments, reason)
    select ${organisation}, uuidv7(age), action.token_id, action.operator, action.action, action.arguments, action.reason
    from made, (select * from app.operator_actions limit 1) action;
    insert into app.request_minutes (organisation_id, minute, answered)
    select ${organisation}, date_trunc('minute', now(), 'UTC') - number * interval '1 minute', 1 from made
    on conflict do nothing;
    insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, status, body, request_id, created_at, day_partition)
    select ${organisation}, ${id("admin_key")}, digest, digest, 200, '{}', uuidv7(age), now() + age, times.day_partition(now() + age) from made;
    commit`);
}
