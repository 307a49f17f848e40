/** The login that copies an organisation: its rights, its life, and where its password is. (docs/moves.md) */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { startMove } from "../../src/cells/moves/move.ts";
import { findingsOnTestCluster } from "../support/audited.ts";
import { makeKey, makeOrganisation } from "../support/database.ts";
import { type Cell, cellsOfFile, tablesWithRows } from "./cells-of-file.ts";

const here = cellsOfFile();

async function logEverything(cell: Cell): Promise<void> {
  await cell.sql("alter system set log_statement = 'all'");
  await cell.sql("alter system set log_min_duration_statement = 0");
  await cell.sql("select pg_reload_conf()");
}

const logOf = ({ dataDir }: Cell) => readFileSync(join(dataDir, "postgres.log"), "utf8");

/** The address in the subscription, with the password. */
async function subscribed(): Promise<string> {
  const [row] = await here.target.sql<{ address: string }>("select subconninfo as address from pg_subscription");
  return row?.address ?? "";
}

const rulesAbout = async (name: string) =>
  (await here.source.sql<{ rule: string; object: string }>(findingsOnTestCluster))
    .filter(({ object }) => object.endsWith(name))
    .map(({ rule }) => rule);

test("the login of a copy reads the rows of its organisation alone, for an hour, and no log has its password", async () => {
  const { id, options } = await here.organisation();
  const other = await makeOrganisation(here.source);
  await makeKey(here.source, other.id, other.ownerId);
  const name = `botstead_move_${id.replaceAll("-", "")}`;
  await Promise.all(here.both.map(logEverything));
  const seen = { address: "", organisations: [] as string[], tables: 0 };

  await startMove({
    ...options,
    async onStep(step) {
      if (step !== "guard") return;
      seen.address = await subscribed();
      const reader = new Client({ connectionString: seen.address });
      await reader.connect();
      try {
        const readable = await reader.query<{ name: string; key: string }>(
          `select class.oid::regclass::text as name, case class.relname when 'organisations' then 'id' else 'organisation_id' end as key
           from pg_class class join pg_namespace schema on schema.oid = class.relnamespace
           where schema.nspname in ('app', 'partitions') and class.relkind in ('r', 'p') and has_any_column_privilege(class.oid, 'select')`,
        );
        seen.tables = readable.rows.length;
        for (const { name: table, key } of readable.rows) {
          const { rows } = await reader.query<{ id: string }>(`select distinct ${key}::text as id from ${table}`);
          seen.organisations.push(...rows.map((row) => row.id));
        }
        for (const refused of ["select from app.people", "update app.bots set name = 'x'", "select api.handle()"]) {
          await expect(reader.query(refused)).rejects.toThrow();
        }
      } finally {
        await reader.end();
      }
      const [role] = await here.source.sql(
        `select rolbypassrls or rolsuper or rolcreaterole or rolcreatedb as is_powerful,
           exists (select from pg_auth_members where member = role.oid) as is_member,
           rolvaliduntil between now() + interval '50 minutes' and now() + interval '61 minutes' as is_short
         from pg_roles role where rolname = $1`,
        [name],
      );
      expect(role).toEqual({ is_powerful: false, is_member: false, is_short: true });
      expect(await rulesAbout(name)).toEqual([]);
      for (const wrong of ["valid until 'infinity'", "bypassrls"]) {
        await here.source.sql(`alter role ${name} ${wrong}`);
        expect([wrong, await rulesAbout(name)]).toEqual([wrong, ["role_powerful"]]);
        await here.source.sql(`alter role ${name} nobypassrls valid until 'tomorrow'`);
        await here.source.sql(`alter role ${name} valid until '${new Date(Date.now() + 3_000_000).toISOString()}'`);
      }
    },
  });

  expect(new Set(seen.organisations)).toEqual(new Set([id]));
  expect(seen.tables).toBeGreaterThan(20);
  const { password } = new URL(seen.address);
  expect(password).toMatch(/^[\w-]{32}$/);
  expect(logOf(here.source)).toContain(`create publication ${name}`);
  expect(logOf(here.target)).toContain("service.hide_next_table");
  for (const cell of here.both) {
    expect(logOf(cell)).not.toContain(password);
    expect(logOf(cell)).not.toContain("connection 'postgres");
  }
  expect(await tablesWithRows(here.source, id)).toEqual([]);
  await here.expectNothingLeft();
});
