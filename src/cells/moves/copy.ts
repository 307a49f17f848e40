/** The copy of an organisation at the target, by PostgreSQL's logical replication with row filters. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { escapeIdentifier, escapeLiteral } from "pg";
import { type Cell, finds, type Move } from "./cell.ts";
import { nameOf } from "./guards.ts";
import { type Copied, dropLogin, makeLogin, renewAfterMs, renewLogin } from "./login.ts";

/** An error of the copy is repeated by PostgreSQL every 5 seconds. */
const maxErrors = 5;

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
  await dropLogin(source, name);
}

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
