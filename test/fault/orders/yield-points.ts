/**
 * Points at which a test can stop a transaction, for one test database: before the statements of every function that may
 * write, and in each write of a table. A session reaches them only with the setting `orders.session`.
 */
import type { TestDatabase } from "../../support/database.ts";

/** Schemas whose functions get points. Functions of the others write nothing that two calls share. */
const schemas = "api api_private caller erasure jobs limits models names runner runs service times triggers".split(" ");

const definitions = `
  create schema orders;
  grant usage on schema orders to public;
  create sequence orders.a;
  create sequence orders.b;

  -- A sequence, because a setting would be reset with an exception block.
  create function orders.point(place text) returns boolean
  language plpgsql security definer as $$
  declare
    session constant text := current_setting('orders.session', true);
    number integer;
  begin
    if session = 'trace' then
      raise notice 'stopped at % after %', place, orders.work();
    elsif session in ('a', 'b') then
      number := nextval('orders.' || session);
      if not pg_try_advisory_lock(ascii(session), number) then
        perform orders.stop(ascii(session), number, place);
      end if;
      perform pg_advisory_unlock(ascii(session), number);
    end if;
    return false;
  end
  $$;

  create function orders.stop(session integer, number integer, place text) returns void
  language plpgsql security definer set lock_timeout = 0 as $$
  begin
    raise notice 'stopped at %', place;
    perform pg_advisory_lock(session, number);
  end
  $$;

  -- How often this transaction has read, written or locked each table. Advisory locks count as a table.
  create function orders.work() returns jsonb
  language sql security definer set search_path = pg_catalog as $$
    with relations as materialized (
      select class.oid, coalesce(indrelid, class.oid) as owner
      from pg_class class left join pg_index on indexrelid = class.oid
      where relnamespace in ('app'::regnamespace, 'partitions'::regnamespace, 'graphile_worker'::regnamespace)
        and relkind in ('r', 'p', 'i')
    ), work as (
      select owner, pg_stat_get_xact_numscans(oid) + pg_stat_get_xact_tuples_inserted(oid)
        + pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid) as count
      from relations
      union all
      select owner, 1
      from pg_locks left join relations on oid = relation
      where pid = pg_backend_pid() and (owner is not null or locktype = 'advisory')
    ), tables as (
      select coalesce(coalesce(pg_partition_root(owner), owner)::regclass::text, 'advisory') as name, count
      from work where count > 0
    ), sums as (
      select name, sum(count) as count from tables group by name
    )
    select coalesce(jsonb_object_agg(name, count), '{}') from sums
  $$;

  create function orders.tg_point() returns trigger
  language plpgsql as $$
  begin
    if tg_level = 'STATEMENT' and current_setting('orders.session', true) <> '' then
      raise notice 'writes %', tg_relid::regclass;
    end if;
    perform orders.point(format('%s of %s (%s)', lower(tg_op), tg_table_name, lower(tg_level)));
    return case tg_op when 'DELETE' then old else new end;
  end
  $$;
`;

/** A function as it is defined, without points. */
export type Defined = { name: string; language: string; definition: string; body: string };

/** Returns the functions that have points now, by schema and name. */
export async function addPoints(db: TestDatabase): Promise<Map<string, Defined>> {
  await db.sql(definitions);
  const tables = await db.sql<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where (
         relnamespace = 'app'::regnamespace
         or oid = any ('{graphile_worker._private_jobs,graphile_worker._private_job_queues}'::regclass[])
       ) and relkind in ('r', 'p') and not relispartition`,
  );
  for (const { name } of tables) {
    for (const level of ["statement", "row"]) {
      await db.sql(
        `create trigger _000_point_of_${level} before insert or update or delete on ${name}
         for each ${level} execute function orders.tg_point()`,
      );
    }
  }
  const functions = await db.sql<Defined>(
    `select pronamespace::regnamespace || '.' || proname as name, lanname as language,
       pg_get_functiondef(fn.oid) as definition, prosrc as body
     from pg_proc fn
     join pg_language on pg_language.oid = prolang and lanname in ('plpgsql', 'sql')
     where pronamespace::regnamespace::text = any ($1) and prokind = 'f' and provolatile = 'v' and prosqlbody is null`,
    [schemas],
  );
  for (const each of functions) await define(db, each);
  return new Map(functions.map((each) => [each.name, each]));
}

/** Defines the function with points. @param change of its body */
export async function define(db: TestDatabase, defined: Defined, change = (body: string) => body): Promise<void> {
  const body = pointsIn({ ...defined, body: change(defined.body) });
  if (body !== defined.body) await db.sql(defined.definition.replace(defined.body, () => body));
}

const statement = /^\s*((perform|select|insert|update|delete|with|return|if|for|while|execute|lock|raise)\b|[\w.]+ :=)/;
/** A variable with an initial value. */
const declaration = /^\s*\w+ (constant )?[\w.[\]]+ :=/;
const usesData = /\b(select|exists|from|insert|update|delete|lock|set constraints|perform|\w+\.\w+\()/;

/**
 * The body with a point before each statement, and each initial value of a variable, that can read or write. A statement begins a line, after a line that ends
 * the one before. In the body of PL/pgSQL the point is a condition, because `perform` would set `found`.
 */
function pointsIn({ body, name, language }: Defined): string {
  const shortName = name.replace(/^.*\./, "");
  const isPlpgsql = language === "plpgsql";
  const lines = body.split("\n");
  let begins = false;
  let isInBody = !isPlpgsql;
  return lines
    .map((line, index) => {
      const code = line.replace(/--.*$/, "").trimEnd();
      if (!code.trim() || /^\s*(\/?\*)/.test(line)) return line;
      const isPlace = begins && (isInBody ? statement : declaration).test(code);
      const here = isPlace && usesData.test(statementAt(lines, index));
      begins = /(;|\b(begin|then|else|loop|declare))$/.test(code);
      isInBody ||= /^\s*begin$/.test(code);
      if (!here) return line;
      const point = `orders.point('${shortName}:${index}')`;
      if (!isInBody) return `orders_${index} boolean := ${point}; ${line.trimStart()}`;
      return `${isPlpgsql ? `if ${point} then end if` : `select ${point}`}; ${line.trimStart()}`;
    })
    .join("\n");
}

/** The lines of the statement that begins here, up to its end or its block. */
function statementAt(lines: string[], from: number): string {
  const rest = lines.slice(from).map((line) => line.replace(/--.*$/, "").trimEnd());
  const length = rest.findIndex((line) => /(;|\b(then|loop))$/.test(line));
  return rest.slice(0, length + 1).join("\n");
}
