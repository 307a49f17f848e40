/**
 * A database with so many memories, runs, steps, events, deliveries, attempts, entries of the trail and kept answers, over
 * the last six weeks: in bulk, as a restore would, without triggers and checks.
 */
import { Client } from "pg";

export type Size = {
  /** Of each kind. */
  rows: number;
  /** That they are spread over. */
  organisations: number;
};

const endpointsEach = 2;
/** In each organisation, and as many conversations. */
const membersEach = 10;
const days = 45;
/** Of which each claim has one, and a word of its own that no other of its organisation has. */
const phrases = 3_000;
const batch = 100_000;

/** Whom row n belongs to, and how old it is: the youngest come last, as they were written. */
const spread = ({ rows, organisations }: Size) => `
  generate_series($1::integer, $2::integer) n
  cross join lateral (select (${rows} - n) * (interval '${days} days' / ${rows}) as age) aged
  join places on places.place = n % ${organisations}`;

/** In the order in which they refer to each other; each of its own partition of n. */
const tables = (size: Size): Record<string, string> => ({
  memories: `
    insert into app.memories (organisation_id, id, scope, kind, subject, value, confidence, provenance, source, created_by, search)
    select organisation_id, uuidv7(-age), 'organisation', kind, subject, value || ' w' || n / ${size.organisations},
      1 - (n / ${size.organisations} % 10) / 20.0, 'member', 'api', owner_id,
      words || format('w%s:1B', n / ${size.organisations})::tsvector
    from ${spread(size)}
    join phrases on phrase = n / ${size.organisations} % ${phrases}`,
  runs: `
    with made as materialized (
      select organisation_id, bot_id, uuidv7(-age - interval '2 hours') as id, age,
        conversations[1 + n / ${size.organisations} % ${membersEach}] as conversation_id, people[1 + n / ${size.organisations} % ${membersEach}] as person_id
      from ${spread(size)}
    ), run as (
      insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, steps, finished_at)
      select organisation_id, id, bot_id, conversation_id, person_id, 'api', 'completed', 1, now() - age from made
    ), step as (
      insert into app.steps (organisation_id, run_id, number, kind) select organisation_id, id, 1, 'answer' from made
    )
    insert into app.run_events (organisation_id, run_id, number, step_number) select organisation_id, id, 1, 1 from made`,
  deliveries: `
    with made as materialized (
      select organisation_id, endpoints[1 + n / ${size.organisations} % ${endpointsEach}] as endpoint_id, uuidv7(-age) as event_id,
        uuidv7(-age + interval '1 ms') as id, age, n
      from ${spread(size)}
    ), event as (
      insert into app.events (organisation_id, id, kind, data, transaction_id)
      select organisation_id, event_id, 'run.finished', '{"runId":"01890000-0000-7000-8000-000000000000","state":"completed"}',
        (10 + n / 100)::text::xid8
      from made
    ), delivery as (
      insert into app.deliveries (organisation_id, id, endpoint_id, event_id, event, state, max_attempts, attempts,
        next_attempt_at, delivered_at, last_status_code)
      select organisation_id, id, endpoint_id, event_id, 'run.finished', (case when n % 211 = 0 then 'failed' else 'delivered' end)::app.delivery_state,
        5, 1, null, case when n % 211 <> 0 then now() - age end, case when n % 211 = 0 then 500 else 200 end
      from made
    )
    insert into app.delivery_attempts (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code)
    select organisation_id, id, endpoint_id, 1, 'scheduled', now() - age, 5, case when n % 211 = 0 then 500 else 200 end from made`,
  trail: `
    insert into app.audit_trail (organisation_id, id, sequence, actor, key_id, request_id, action, resource, resource_id, changed, hash)
    select organisation_id, uuidv7(-age), 1 + n / ${size.organisations}, 'key', bot_id, uuidv7(-age), 'updated', 'bot', bot_id, '{name}',
      sha256(n::text::bytea)
    from ${spread(size)}`,
  answers: `
    insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, status, body, request_id, created_at, ring_day)
    select organisation_id, bot_id, sha256(n::text::bytea), sha256('body'), 201, '{"id":"01890000-0000-7000-8000-000000000000"}',
      uuidv7(-age / ${days}), now() - age / ${days}, jobs.ring_day(now() - age / ${days})
    from ${spread(size)}`,
});

/** @param admin of an empty database that was migrated */
export async function fill(admin: Client, url: string, size: Size, say: (what: string) => void): Promise<void> {
  const began = performance.now();
  const { rows } = size;
  await admin.query(found(size.organisations));
  await admin.query("set role owner"); // whose tables they are in use
  await admin.query(`select jobs.make_week(monday)
    from generate_series(date_trunc('week', now() - interval '${days + 1} days', 'UTC'), now(), interval '7 days') monday`);
  await admin.query("reset role");
  // An index grows slowly row by row; built at the end, it is the same.
  const { rows: indexes } = await admin.query<{ name: string; definition: string }>(
    `select format('%I.%I', schemaname, indexname) as name, replace(indexdef, ' ON ONLY ', ' ON ') as definition
     from pg_indexes join pg_class on oid = format('%I.%I', schemaname, indexname)::regclass
     where schemaname = 'app' and indexdef not like 'CREATE UNIQUE%'
       and tablename in ('memories', 'runs', 'run_events', 'events', 'deliveries', 'delivery_attempts', 'audit_trail', 'idempotency_records')`,
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
      if (from === 1) say(`${name}, after ${Math.round((performance.now() - began) / 1000)} s`);
      await client.query({ name, text, values: [from, Math.min(from + batch - 1, rows)] });
    }
    await client.end();
  }
  await Promise.all([work(), work(), work()]);
  await admin.query("set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2");
  for (const { name, definition } of indexes) {
    say(`${name}, after ${Math.round((performance.now() - began) / 1000)} s`);
    await admin.query(definition);
  }
  // Nothing was told of all this: what is written from here on is told from where the trail that was filled in ends.
  await admin.query(
    `update app.audit_heads head set sequence = $1, entry_id = last.id, hash = last.hash
    from app.organisations held, lateral (
      select id, hash from app.audit_trail entry where entry.organisation_id = held.id order by id desc limit 1
    ) last where held.id = head.organisation_id`,
    [rows],
  );
  await admin.query("vacuum (analyze)");
  await admin.query("reset maintenance_work_mem; checkpoint");
  say(`Filled with ${rows.toLocaleString("en")} of each in ${Math.round((performance.now() - began) / 1000)} s`);
}

/** Through triggers, as in use: they are few. Ceilings are lifted, since they are no matter of how many rows there are. */
const found = (organisations: number) => `
  insert into app.executors (id, name, models, last_seen_at)
  values ('01890000-0000-7000-8000-0000000000ec', 'bench', '{bench}', now() + interval '1 day');
  insert into app.organisations (name, billing_state, hourly_run_ceiling)
  select 'Organisation ' || n, 'active', 1000000000 from generate_series(1, ${organisations}) n;
  create table public.places as
  select row_number() over (order by id) - 1 as place, id as organisation_id, uuidv7() as owner_id from app.organisations;
  insert into app.people (id, email) select owner_id, 'owner' || place || '@example.test' from places;
  insert into app.memberships (organisation_id, person_id, role) select organisation_id, owner_id, 'owner' from places;
  insert into app.people (email) select 'member' || n || '@example.test' from generate_series(1, ${organisations * membersEach}) n;
  insert into app.memberships (organisation_id, person_id, role)
  select organisation_id, person.id, 'member' from places
  join (select id, row_number() over () % ${organisations} as place from app.people where email like 'member%') person using (place);
  insert into app.bots (organisation_id, name, owner_id, model) select organisation_id, 'Bot', owner_id, 'bench' from places;
  insert into app.conversations (organisation_id, bot_id, person_id)
  select bot.organisation_id, bot.id, member.person_id from app.bots bot join app.memberships member using (organisation_id)
  where member.role = 'member';
  insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
  select organisation_id, 'https://receiver.example/', '{approval.needed}', 'sealed' from places, generate_series(1, ${endpointsEach});
  alter table places
    add bot_id uuid, add conversations uuid[], add people uuid[], add endpoints uuid[];
  update places set
    bot_id = (select id from app.bots where bots.organisation_id = places.organisation_id),
    conversations = array(select id from app.conversations talk where talk.organisation_id = places.organisation_id order by id),
    people = array(select person_id from app.conversations talk where talk.organisation_id = places.organisation_id order by id),
    endpoints = array(select id from app.webhook_endpoints held where held.organisation_id = places.organisation_id);
  create table public.phrases as
  select phrase, kind, subject, value, search.vector('english', subject, kind, value) as words
  from (
    select phrase, (array['decision', 'fact', 'deadline'])[1 + phrase % 3] as kind, 'Subject ' || phrase % 1000 as subject,
      'The ' || (array['release', 'customer', 'contract', 'invoice', 'office', 'server', 'report', 'meeting'])[1 + phrase % 8]
        || ' of the house goes with' as value
    from generate_series(0, ${phrases - 1}) phrase
  ) said;
  alter table phrases enable row level security;
  alter table phrases force row level security;
  alter table places enable row level security;
  alter table places force row level security;
  analyze places, phrases`;
