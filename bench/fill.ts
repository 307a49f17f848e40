/** Fills the tables in bulk, as a restore would: without triggers and row-level security. */
import { Client } from "pg";
import type { Options } from "./options.ts";

const botsEach = 5;
/** Besides the owner: more than one page of members. */
const membersEach = 60;
const batch = 20_000;

/** The rows of one batch, organisations in turn, so that each row of a list lies on a page of its own. */
const memories = `
  insert into app.memories (
    organisation_id, scope, bot_id, member_id, kind, subject, value, confidence, valid_to, provenance, source, created_by,
    search_vector
  )
  select memory.*, search.vector('english', memory.subject, memory.kind, memory.value)
  from generate_series($1::integer, $2::integer) n,
    lateral (select 1 + n % cardinality($3::uuid[]) as tenant, n / cardinality($3::uuid[]) % 10 as kind) spread,
    (select string_to_array('release customer contract invoice office server report meeting plan budget garden'
      || ' library station kitchen engine harbour', ' ') as words) vocabulary,
    lateral (
      select
        ($3::uuid[])[tenant],
        (case when kind < 7 then 'organisation' when kind < 9 then 'bot' else 'member' end)::app.memory_scope,
        case when kind in (7, 8) then ($4::uuid[])[(tenant - 1) * ${botsEach} + 1 + n / 7 % ${botsEach}] end,
        case when kind = 9 then ($5::uuid[])[tenant] end,
        (array['decision', 'preference', 'fact', 'deadline', 'contact'])[1 + n % 5],
        'Subject ' || n / 11 % 1000,
        'The ' || words[1 + n % 16] || ' of the ' || words[1 + n / 16 % 16] || ' goes with the '
          || words[1 + n / 3 % 16] || ' number ' || n || ', which the ' || words[1 + n / 5 % 16] || ' has confirmed.',
        1 - (n % 10) / 20.0,
        case when n % 10 = 0 then now() + interval '1 year' end,
        'member'::app.provenance, 'api', ($5::uuid[])[tenant]
    ) memory (organisation, scope, bot, member, kind, subject, value, confidence, valid_to, provenance, source, person)`;

export async function fill(admin: Client, adminUrl: string, options: Options, log: (message: string) => void) {
  const began = performance.now();
  await setBulkOptions(admin);
  const { rows } = await admin.query<{ organisation: string; person: string; bots: string[] }>(
    `with organisations as (
       insert into app.organisations (name, billing_state)
       select 'Organisation ' || n, 'active' from generate_series(1, $1::integer) n returning id
     ), numbered as (
       select id, row_number() over () as n from organisations
     ), people as (
       insert into app.people (email, display_name)
       select 'owner' || n || '@example.test', 'Owner ' || n from numbered returning id
     ), pairs as (
       select numbered.id as organisation, person.id as person
       from numbered join (select id, row_number() over () as n from people) person using (n)
     ), joined as (
       insert into app.memberships (organisation_id, person_id, role) select organisation, person, 'owner' from pairs
     ), bots as (
       insert into app.bots (organisation_id, name, visibility, owner_id)
       select organisation, 'Bot ' || n, (case n when 1 then 'personal' else 'team' end)::app.bot_visibility, person
       from pairs, generate_series(1, ${botsEach}) n returning organisation_id, id
     )
     select organisation, person, array(select id from bots where organisation_id = organisation) as bots from pairs`,
    [options.organisations],
  );
  await admin.query(
    `with people as (
       insert into app.people (email, display_name)
       select 'member' || n || '@example.test', 'Member ' || n
       from generate_series(1, ${membersEach} * cardinality($1::uuid[])) n
       returning id
     )
     insert into app.memberships (organisation_id, person_id, role)
     select ($1::uuid[])[1 + position % cardinality($1::uuid[])], id, 'member'
     from (select id, row_number() over () as position from people) person`,
    [rows.map((row) => row.organisation)],
  );
  const ids = [rows.map((row) => row.organisation), rows.flatMap((row) => row.bots), rows.map((row) => row.person)];

  // Building the search index at the end is faster than maintaining it row by row; the result is the same.
  const { rows: indexes } = await admin.query<{ definition: string }>(
    `select pg_get_indexdef('app.memories_by_lexemes'::regclass) as definition`,
  );
  await admin.query("drop index app.memories_by_lexemes");
  let next = 1;
  async function work(): Promise<void> {
    const client = new Client({ connectionString: adminUrl });
    await client.connect();
    await setBulkOptions(client);
    while (next <= options.memories) {
      const from = next;
      next += batch;
      await client.query({
        name: "memories",
        text: memories,
        values: [from, Math.min(from + batch - 1, options.memories), ...ids],
      });
    }
    await client.end();
  }
  await Promise.all([work(), work()]);
  log("Building the search index");
  await admin.query(indexes[0]?.definition ?? "");
  // The inserts above ran without triggers, so the audit log is empty: create the chain heads it starts from.
  await admin.query(
    `insert into app.audit_chain_heads (organisation_id, hash)
     select id, sha256(convert_to(id::text, 'UTF8')) from app.organisations on conflict do nothing`,
  );
  // Back to normal settings. A key that is created without triggers has no row to record its last use.
  await admin.query("reset session_replication_role; reset synchronous_commit; reset maintenance_work_mem");
  await admin.query("vacuum (analyze)");
  log(`Tables filled in ${Math.round((performance.now() - began) / 1000)} s`);
}

async function setBulkOptions(client: Client): Promise<void> {
  await client.query(
    "set synchronous_commit = off; set session_replication_role = replica; set maintenance_work_mem = '512MB'",
  );
}
