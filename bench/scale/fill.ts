/**
 * Fills a database with memories, runs, steps, events, deliveries, attempts, audit-log entries and idempotent responses of the
 * last 45 days. It inserts in bulk without triggers and checks, as a restore would.
 */
import { Client } from "pg";

export type Size = {
  /** Rows of each kind. */
  rows: number;
  /** Organisations that own the rows. */
  organisations: number;
};

const endpointsEach = 2;
/** Members, and conversations, of each organisation. */
const membersEach = 10;
const days = 45;
/** Distinct texts. Each memory has one of them and a word that no other memory of its organisation has. */
const phrases = 3_000;
const batch = 100_000;

/** The organisation and the age of row n. The newest rows are inserted last, as in production. */
const spread = ({ rows, organisations }: Size) => `
  generate_series($1::integer, $2::integer) n
  cross join lateral (select (${rows} - n) * (interval '${days} days' / ${rows}) as age) aged
  join organisation_data data on data.position = n % ${organisations}`;

/** Statements in the order of the foreign keys. */
const tables = (size: Size): Record<string, string> => ({
  memories: `
    insert into app.memories (organisation_id, id, scope, kind, subject, value, confidence, provenance, source, created_by, search_vector)
    select organisation_id, uuidv7(-age), 'organisation', kind, subject, value || ' w' || n / ${size.organisations},
      1 - (n / ${size.organisations} % 10) / 20.0, 'member', 'api', owner_id,
      search_vector || format('w%s:1B', n / ${size.organisations})::tsvector
    from ${spread(size)}
    join phrases on phrase = n / ${size.organisations} % ${phrases}`,
  runs: `
    with source as materialized (
      select organisation_id, bot_id, uuidv7(-age - interval '2 hours') as id, age,
        conversations[1 + n / ${size.organisations} % ${membersEach}] as conversation_id, people[1 + n / ${size.organisations} % ${membersEach}] as person_id
      from ${spread(size)}
    ), run as (
      insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, steps, finished_at)
      select organisation_id, id, bot_id, conversation_id, person_id, 'api', 'completed', 1, now() - age from source
    ), step as (
      insert into app.steps (organisation_id, run_id, number, kind) select organisation_id, id, 1, 'answer' from source
    )
    insert into app.run_events (organisation_id, run_id, number, step_number) select organisation_id, id, 1, 1 from source`,
  deliveries: `
    with source as materialized (
      select organisation_id, endpoints[1 + n / ${size.organisations} % ${endpointsEach}] as endpoint_id, uuidv7(-age) as event_id,
        uuidv7(-age + interval '1 ms') as id, age, n
      from ${spread(size)}
    ), event as (
      insert into app.events (organisation_id, id, kind, data, position)
      select organisation_id, event_id, 'run.finished', '{"runId":"01890000-0000-7000-8000-000000000000","state":"completed"}',
        10 + n / 100
      from source
    ), delivery as (
      insert into app.deliveries (organisation_id, id, endpoint_id, event_id, event, state, max_attempts, attempts,
        next_attempt_at, delivered_at, last_status_code)
      select organisation_id, id, endpoint_id, event_id, 'run.finished', (case when n % 211 = 0 then 'failed' else 'delivered' end)::app.delivery_state,
        5, 1, null, case when n % 211 <> 0 then now() - age end, case when n % 211 = 0 then 500 else 200 end
      from source
    )
    insert into app.delivery_attempts (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code)
    select organisation_id, id, endpoint_id, 1, 'scheduled', now() - age, 5, case when n % 211 = 0 then 500 else 200 end from source`,
  auditLog: `
    insert into app.audit_log (organisation_id, id, sequence, actor, key_id, request_id, action, resource, resource_id, changed, hash)
    select organisation_id, uuidv7(-age), 1 + n / ${size.organisations}, 'key', bot_id, uuidv7(-age), 'updated', 'bot', bot_id, '{name}',
      sha256(n::text::bytea)
    from ${spread(size)}`,
  idempotentResponses: `
    insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, status, body, request_id, created_at, day_partition)
    select organisation_id, bot_id, sha256(n::text::bytea), sha256('body'), 201, '{"id":"01890000-0000-7000-8000-000000000000"}',
      uuidv7(-age / ${days}), now() - age / ${days}, times.day_partition(now() - age / ${days})
    from ${spread(size)}`,
});

/** @param admin of an empty database that was migrated */
export async function fill(admin: Client, url: string, size: Size, log: (message: string) => void): Promise<void> {
  const began = performance.now();
  const { rows } = size;
  await admin.query(createOrganisations(size.organisations));
  await admin.query("set role owner"); // the owner of the tables in production
  await admin.query(`select jobs.make_week(monday)
    from generate_series(date_trunc('week', now() - interval '${days + 1} days', 'UTC'), now(), interval '7 days') monday`);
  await admin.query("reset role");
  // Building indexes at the end is faster than maintaining them row by row; the result is the same.
  const { rows: indexes } = await admin.query<{ name: string; definition: string }>(
    `select format('%I.%I', schemaname, indexname) as name, replace(indexdef, ' ON ONLY ', ' ON ') as definition
     from pg_indexes join pg_class on oid = format('%I.%I', schemaname, indexname)::regclass
     where schemaname = 'app' and indexdef not like 'CREATE UNIQUE%'
       and tablename in ('memories', 'runs', 'run_events', 'events', 'deliveries', 'delivery_attempts', 'audit_log', 'idempotency_records')`,
  );
  for (const { name } of indexes) await admin.query(`drop index ${name}`);
  const tasks = Object.entries(tables(size)).flatMap(([name, text]) =>
    Array.from({ length: Math.ceil(rows / batch) }, (_, nth) => ({ name, text, from: nth * batch + 1 })),
  );
  async function work(): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query("set session_replication_role = replica; set synchronous_commit = off");
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      const { name, text, from } = task;
      if (from === 1) log(`${name}, after ${Math.round((performance.now() - began) / 1000)} s`);
      await client.query({ name, text, values: [from, Math.min(from + batch - 1, rows)] });
    }
    await client.end();
  }
  await Promise.all([work(), work(), work()]);
  await admin.query("set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2");
  for (const { name, definition } of indexes) {
    log(`${name}, after ${Math.round((performance.now() - began) / 1000)} s`);
    await admin.query(definition);
  }
  // The inserts ran without triggers, so the chain heads are set to the last inserted entries of the audit log.
  await admin.query(
    `update app.audit_chain_heads head set sequence = $1, entry_id = last.id, hash = last.hash
    from app.organisations organisation, lateral (
      select id, hash from app.audit_log entry where entry.organisation_id = organisation.id order by id desc limit 1
    ) last where organisation.id = head.organisation_id`,
    [rows],
  );
  await admin.query("select jobs.count_endpoints()");
  await admin.query("vacuum (analyze)");
  await admin.query("reset maintenance_work_mem; checkpoint");
  log(`Filled with ${rows.toLocaleString("en")} of each in ${Math.round((performance.now() - began) / 1000)} s`);
}

/** Inserts organisations, members, bots and endpoints with triggers. The hourly run limit is raised, so that no call meets it. */
const createOrganisations = (organisations: number) => `
  insert into app.executors (id, name, models, last_seen_at)
  values ('01890000-0000-7000-8000-0000000000ec', 'bench', '{bench}', now() + interval '1 day');
  insert into app.organisations (name, billing_state)
  select 'Organisation ' || n, 'active' from generate_series(1, ${organisations}) n;
  insert into app.organisation_limits (organisation_id, name, maximum)
  select id, 'runStartsPerHour', 1000000000 from app.organisations;
  create table public.organisation_data as
  select row_number() over (order by id) - 1 as position, id as organisation_id, uuidv7() as owner_id from app.organisations;
  insert into app.people (id, email) select owner_id, 'owner' || position || '@example.test' from organisation_data;
  insert into app.memberships (organisation_id, person_id, role) select organisation_id, owner_id, 'owner' from organisation_data;
  insert into app.people (email) select 'member' || n || '@example.test' from generate_series(1, ${organisations * membersEach}) n;
  insert into app.memberships (organisation_id, person_id, role)
  select organisation_id, person.id, 'member' from organisation_data
  join (select id, row_number() over () % ${organisations} as position from app.people where email like 'member%') person using (position);
  insert into app.bots (organisation_id, name, owner_id, model) select organisation_id, 'Bot', owner_id, 'bench' from organisation_data;
  insert into app.conversations (organisation_id, bot_id, person_id)
  select bot.organisation_id, bot.id, member.person_id from app.bots bot join app.memberships member using (organisation_id)
  where member.role = 'member';
  insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
  select organisation_id, 'https://receiver.example/', '{approval.needed}', 'sealed' from organisation_data, generate_series(1, ${endpointsEach});
  alter table organisation_data
    add bot_id uuid, add conversations uuid[], add people uuid[], add endpoints uuid[];
  update organisation_data data set
    bot_id = (select id from app.bots where bots.organisation_id = data.organisation_id),
    conversations = array(select id from app.conversations conversation where conversation.organisation_id = data.organisation_id order by id),
    people = array(select person_id from app.conversations conversation where conversation.organisation_id = data.organisation_id order by id),
    endpoints = array(select id from app.webhook_endpoints endpoint where endpoint.organisation_id = data.organisation_id);
  create table public.phrases as
  select phrase, kind, subject, value, search.vector('english', subject, kind, value) as search_vector
  from (
    select phrase, (array['decision', 'fact', 'deadline'])[1 + phrase % 3] as kind, 'Subject ' || phrase % 1000 as subject,
      'The ' || (array['release', 'customer', 'contract', 'invoice', 'office', 'server', 'report', 'meeting'])[1 + phrase % 8]
        || ' of the project goes with' as value
    from generate_series(0, ${phrases - 1}) phrase
  ) text;
  alter table phrases enable row level security;
  alter table phrases force row level security;
  alter table organisation_data enable row level security;
  alter table organisation_data force row level security;
  analyze organisation_data, phrases`;
