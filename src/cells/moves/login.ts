/** The login at the source, by which the target reads the rows of the organisation. */
import { escapeLiteral } from "pg";
import { scramVerifier } from "../../database/role-passwords.ts";
import { type Cell, define, finds, type Move } from "./cell.ts";
import { nameOf } from "./guards.ts";

/** The login of the copy expires this long after the mover last renewed it. (sql/audit/findings.sql has a limit of 2 hours) */
const loginLifeMs = 3_600_000;
export const renewAfterMs = loginLifeMs / 6;

/** `columns` is a list in parentheses if some are left out. `condition` selects the organisation's rows. */
export type Copied = { quoted: string; columns: string; condition: string };

/** PostgreSQL sends changes only to a login with REPLICATION. It reads the published rows alone, by a policy of each table. */
export async function makeLogin({ source, organisation }: Move, password: string, tables: Copied[]): Promise<void> {
  const name = nameOf(organisation);
  const exists = await finds(source, isLogin, [name]);
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

const isLogin = "select from pg_roles where rolname = $1";
const policyOfLogin = "select from pg_policy where polname = $1 and polrelid = $2::regclass";
const expiry = () => new Date(Date.now() + loginLifeMs).toISOString();

export async function renewLogin({ source, organisation }: Move): Promise<void> {
  await source.rows(`alter role ${nameOf(organisation)} valid until '${expiry()}'`);
}

export async function dropLogin(source: Cell, name: string): Promise<void> {
  if (!(await finds(source, isLogin, [name]))) return;
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
