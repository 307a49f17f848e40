/** Rights in the database itself: who may connect and create schemas, and what no login may use. */
import { type Client, escapeIdentifier } from "pg";
import { listExecutorLogins, roleOfExecutor } from "./executor-logins.ts";

/**
 * Lets owner create schemas in this database, and the other logins connect. Logins of executors connect by a right of
 * their own: all databases of the cluster share the role executor.
 */
export async function ensureDatabase(admin: Client): Promise<void> {
  const name = await databaseName(admin);
  const executors = (await listExecutorLogins(admin)).map((login) => escapeIdentifier(roleOfExecutor(login.name)));
  await admin.query(`
    revoke all on database ${name} from public, executor;
    grant connect on database ${name} to ${["server, worker, runner, operator, cli, auditor", ...executors].join(", ")};
    grant connect, create, temporary on database ${name} to owner;
    revoke all on schema public from public;
  `);
  await admin.query(restrictBuiltins);
  await admin.query(showFileSettings);
  await closeMaintenanceDatabases(admin);
}

/**
 * PUBLIC may connect to the databases postgres and template1 of a new cluster. A login of ours could exhaust shared locks or the
 * NOTIFY queue from there, where no function is revoked. Only an owner of these databases can; for others the audit reports
 * database_privilege.
 */
async function closeMaintenanceDatabases(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select database.datname as name
     from pg_database database
     where database.datname in ('postgres', 'template1') and database.datname <> current_database()
       and pg_has_role(database.datdba, 'usage')
       and exists (
         select from aclexplode(coalesce(database.datacl, acldefault('d', database.datdba))) given
         where given.grantee = 0 and given.privilege_type = 'CONNECT'
       )`,
  );
  for (const { name } of rows) await admin.query(`revoke connect on database ${escapeIdentifier(name)} from public`);
}

/**
 * Revokes built-in functions from PUBLIC with which any login could exhaust the server: advisory locks, large objects,
 * logical messages. Only a superuser can; for others PostgreSQL warns and the audit reports builtin_open. Tenant
 * uses advisory locks, and owner for graphile-migrate.
 */
const restrictBuiltins = `
  do $$
  declare
    builtin record;
  begin
    set local client_min_messages = error;
    for builtin in
      select function.oid::regprocedure as signature, function.proname ~ '^pg_(try_)?advisory_' as locks
      from pg_catalog.pg_proc function
      where function.pronamespace = 'pg_catalog'::regnamespace
        and function.proname ~ '^(pg_(try_)?advisory_|lo_|loread$|lowrite$|pg_logical_emit_message$)'
        and exists (
          select from aclexplode(coalesce(function.proacl, acldefault('f', function.proowner))) given where given.grantee = 0
        )
    loop
      execute format('revoke execute on function %s from public', builtin.signature);
      if builtin.locks then
        execute format('grant execute on function %s to owner, tenant', builtin.signature);
      end if;
    end loop;
  end
  $$`;

/** The audit reads settings that are in a file and not yet loaded. Only a superuser can grant that (audit.unseen). */
const showFileSettings = `
  do $$
  begin
    if (select rolsuper from pg_roles where rolname = current_user)
      and not has_function_privilege('owner', 'pg_show_all_file_settings()', 'execute') then
      grant execute on function pg_show_all_file_settings() to owner;
    end if;
  end
  $$`;

async function databaseName(admin: Client): Promise<string> {
  const { rows } = await admin.query<{ name: string }>("select current_database() as name");
  return escapeIdentifier(rows[0]?.name ?? "");
}
