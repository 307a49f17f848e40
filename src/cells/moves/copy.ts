/** The copy of an organisation at the target, by PostgreSQL's logical replication with row filters. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { escapeIdentifier, escapeLiteral } from "pg";
import { scramVerifier } from "../../database/role-passwords.ts";
import { type Cell, define, finds, type Move } from "./cell.ts";
import { nameOf } from "./guards.ts";

/** An error of the copy is repeated by PostgreSQL every 5 seconds. */
const maxErrors = 5;

/** The login of the copy expires this long after the mover last renewed it. (sql/audit/findings.sql has a limit of 2 hours) */
const loginLifeMs = 3_600_000;
const renewAfterMs = loginLifeMs / 6;

/** All people to whom rows of the organisation refer. Reads each of its rows. */
const peopleOf = "select id, email, display_name from service.people_of($1)";
const membersOf = `select person.id, person.email, person.display_name
  from app.people person join app.memberships membership on membership.person_id = person.id
  where membership.organisation_id = $1`;

/** People belong to no organisation. A person whom the target has already, as a member of another organisation, stays unchanged. */
const update = `update set display_name = excluded.display_name
  where not exists (
    select from app.memberships membership where membership.person_id = excluded.id and membership.organisation_id <> $2
  )`;

async function copyPersons({ source, target, organisation }: Move, query: string, onConflict: string): Promise<void> {
  const people = await source.rows(query, [organisation]);
  await target.rows(
    `insert into app.people (id, email, display_name)
     select id, email, display_name from json_to_recordset($1) arriving (id uuid, email text, display_name text)
     where $2::uuid is not null
     on conflict (id) do ${onConflict}`,
    [JSON.stringify(people), organisation],
  );
}

export const copyPeople = (move: Move): Promise<void> => copyPersons(move, peopleOf, update);
/** Fast: no cell serves the organisation meanwhile. */
export const copyMembers = (move: Move): Promise<void> => copyPersons(move, membersOf, update);
/** Former members who joined and left in the last moment. The target may have newer names of the others. */
export const copyMissingPeople = (move: Move): Promise<void> => copyPersons(move, peopleOf, "nothing");

/** Publishes the rows at the source, and subscribes the target to them. */
export async function copyRows(move: Move): Promise<void> {
  const { source, target, organisation } = move;
  const name = nameOf(organisation);
  if (await subscriptionId(target, name)) return renewLogin(move);
  await makeWeeks(move);
  await dropSlots(source, name); // of a subscription that was not created to the end
  const tables = await tablesToCopy(move);
  const password = randomBytes(24).toString("base64url");
  await makeLogin(move, password, tables);
  await source.rows(`drop publication if exists ${name}`);
  await source.rows(
    `create publication ${name} for table ${tables.map(published).join(", ")} with (publish_via_partition_root = true)`,
  );
  const address = new URL(source.url);
  address.username = name;
  address.password = password;
  // As its owner, an administrator: row-level security is forced on every table.
  await unlogged(
    target,
    `create subscription ${name} connection ${escapeLiteral(address.href)} publication ${name} with (run_as_owner = true)`,
  );
}

/** `columns` is a list in parentheses if some are left out. `condition` selects the organisation's rows. */
type Copied = { quoted: string; columns: string; condition: string };

const published = ({ quoted, columns, condition }: Copied) => `app.${quoted}${columns} where (${condition})`;

async function tablesToCopy({ source, organisation }: Move): Promise<Copied[]> {
  const tables = await source.rows<{ quoted: string; key: string; columns: string[] | null }>(
    `select quoted, key, case when left_out <> '{}' then array(
       select attname::text from pg_attribute
       where attrelid = ('app.' || quoted)::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> all (left_out)
     ) end as columns
     from service.moved_tables where is_carried`,
  );
  return tables.map(({ quoted, key, columns }) => ({
    quoted,
    columns: columns ? ` (${columns.map(escapeIdentifier).join(", ")})` : "",
    condition: `${key} = '${organisation}'`,
  }));
}

/** PostgreSQL sends changes only to a login with REPLICATION. It reads the published rows alone, by a policy of each table. */
async function makeLogin({ source, organisation }: Move, password: string, tables: Copied[]): Promise<void> {
  const name = nameOf(organisation);
  const exists = await finds(source, "select from pg_roles where rolname = $1", [name]);
  const verifier = escapeLiteral(scramVerifier(password)); // so that no statement contains the password
  await source.rows(
    `${exists ? "alter" : "create"} role ${name} login replication password ${verifier} valid until '${expiry()}'`,
  );
  await alone(
    source,
    `do $$ begin execute format('grant connect on database %I to ${name}', current_database()); end $$;
     grant usage on schema app to ${name}`,
  );
  for (const { quoted, columns, condition } of tables) {
    if (await finds(source, policyOfLogin, [name, `app.${quoted}`])) continue; // of an earlier process
    await alone(
      source,
      `grant select${columns} on app.${quoted} to ${name};
       create policy ${name} on app.${quoted} for select to ${name} using (${condition});
       comment on policy ${name} on app.${quoted} is 'Rows of the organisation that moves, for the login of its copy.'`,
    );
  }
}

const policyOfLogin = "select from pg_policy where polname = $1 and polrelid = $2::regclass";
const expiry = () => new Date(Date.now() + loginLifeMs).toISOString();

async function renewLogin({ source, organisation }: Move): Promise<void> {
  await source.rows(`alter role ${nameOf(organisation)} valid until '${expiry()}'`);
}

/** The server logs neither the statement nor its error, with any of its settings. */
async function unlogged(cell: Cell, statement: string): Promise<void> {
  const settings = {
    log_statement: "none",
    log_min_error_statement: "panic",
    log_min_duration_statement: "-1",
    log_min_duration_sample: "-1",
    log_transaction_sample_rate: "0",
    "pg_stat_statements.track_utility": "off",
  };
  const change = (to: (value: string) => string) =>
    cell.rows(
      Object.entries(settings)
        .map(([name, value]) => `set ${name} = ${to(value)}`)
        .join("; "),
    );
  await change(escapeLiteral);
  try {
    await cell.rows(statement);
  } finally {
    await change(() => "default");
  }
}

/** Creates the weeks that only the source has: a row without its partition would stop the copy. */
async function makeWeeks({ source, target }: Move): Promise<void> {
  const text = `select distinct substring(relname from '_(\\d{8})$') as week
    from pg_class where relnamespace = 'partitions'::regnamespace and relkind = 'r' and relname ~ '_\\d{8}$' order by 1`;
  const weeks = (await source.rows<{ week: string }>(text)).map(({ week }) => week);
  await target.rows("set role owner");
  try {
    for (const week of weeks)
      await target.rows("select jobs.make_week(to_date($1, 'YYYYMMDD')::timestamp at time zone 'UTC')", [week]);
  } finally {
    await target.rows("reset role");
  }
}

/** Waits until each table is copied and follows the changes of the source. @throws Error if the copy fails again and again */
export async function untilCopied(move: Move): Promise<void> {
  const { target, organisation } = move;
  const name = nameOf(organisation);
  let renewedAt = performance.now();
  let earlier: number | undefined; // errors of an outage before a resumed move
  for (;;) {
    const [copy] = await target.rows<{ waiting: number; errors: number }>(
      `select count(*) filter (where relation.srsubstate <> 'r')::integer as waiting,
         max(counted.apply_error_count + counted.sync_error_count)::integer as errors
       from pg_subscription subscription
       join pg_subscription_rel relation on relation.srsubid = subscription.oid
       join pg_stat_subscription_stats counted on counted.subid = subscription.oid
       where subscription.subname = $1`,
      [name],
    );
    if (!copy) throw new Error("The copy has ended. Continue the move with --resume.");
    earlier ??= copy.errors;
    if (copy.errors - earlier > maxErrors) {
      throw new Error(
        "PostgreSQL cannot copy the rows: see the log of the target's server. End the move with --abort.",
      );
    }
    if (copy.waiting === 0) return;
    if (performance.now() - renewedAt > renewAfterMs) {
      await renewLogin(move);
      renewedAt = performance.now();
    }
    await sleep(50);
  }
}

/** Tables that have grown much since their last analysis. Autovacuum comes up to a minute later, after the first calls. */
export async function analyzeCopy({ target }: Move): Promise<void> {
  const grown = await target.rows<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace in ('app'::regnamespace, 'partitions'::regnamespace)
       and pg_relation_size(oid) / current_setting('block_size')::integer > 100 + 1.2 * relpages`,
  );
  for (const { name } of grown) await target.rows(`analyze ${name}`);
}

/** Nothing is copied from then on. The server at the source may need longer until it notices this. */
export async function stopCopy({ target, organisation }: Move): Promise<void> {
  const name = nameOf(organisation);
  if (!(await subscriptionId(target, name))) return;
  await target.rows(`alter subscription ${name} disable`);
  await target.rows(`alter subscription ${name} set (slot_name = none)`);
  await target.rows(`drop subscription ${name}`);
}

/** Removes what copyRows made, on both sides. */
export async function removeCopy(move: Move): Promise<void> {
  const { source, target, organisation } = move;
  const name = nameOf(organisation);
  const id = await subscriptionId(target, name);
  await stopCopy(move);
  await dropSlots(source, name, id);
  await source.rows(`drop publication if exists ${name}`);
  if (await finds(source, "select from pg_roles where rolname = $1", [name])) await dropLogin(source, name);
}

async function dropLogin(source: Cell, name: string): Promise<void> {
  await source.rows(`alter role ${name} nologin`);
  const tables = await source.rows<{ quoted: string }>(
    "select polrelid::regclass::text as quoted from pg_policy where polname = $1",
    [name],
  );
  for (const { quoted } of tables) await alone(source, `drop policy ${name} on ${quoted}`);
  await alone(source, `drop owned by ${name}`); // its privileges
  await source.rows(`drop role ${name}`);
}

/** PostgreSQL refuses to change the access list of an object for two sessions at once. */
const alone = (cell: Cell, statements: string) =>
  define(cell, `lock app.organisation_moves in share row exclusive mode; ${statements}`);

async function subscriptionId(target: Cell, name: string): Promise<string | undefined> {
  const text = `select subscription.oid::text as id from pg_subscription subscription
    join pg_database database on database.oid = subscription.subdbid and database.datname = current_database()
    where subscription.subname = $1`;
  return (await target.rows<{ id: string }>(text, [name]))[0]?.id;
}

/** The slot of the subscription, and the slots of tables whose copy was under way. */
async function dropSlots(source: Cell, name: string, subscription = ""): Promise<void> {
  const ours = "slot_name = $1 or $2 <> '' and starts_with(slot_name, 'pg_' || $2 || '_sync_')";
  const values = [name, subscription];
  while (await finds(source, `select from pg_replication_slots where ${ours}`, values)) {
    await source.rows(
      `select pg_drop_replication_slot(slot_name) from pg_replication_slots where not active and (${ours})`,
      values,
    );
    await sleep(20); // the server that sends to a subscription ends a moment after it
  }
}
