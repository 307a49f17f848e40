/** Attributes and settings of roles. */
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { describeRoles, executorLogins, type LoginRole, purposes, roleSettings } from "./roles.ts";

export type Change = { role: string; change: string };

/** Resets attributes that were changed by hand. A `migrate` without --repair has refused before. */
export async function writeAttributes(admin: Client): Promise<Change[]> {
  const { rows } = await admin.query<{ name: string; differing: string }>(
    `select rolname as name, concat_ws(
         ' ',
         case when rolsuper then 'nosuperuser' end, case when rolcreaterole then 'nocreaterole' end,
         case when rolcreatedb then 'nocreatedb' end, case when rolreplication then 'noreplication' end,
         case when rolbypassrls then 'nobypassrls' end, case when not rolinherit then 'inherit' end,
         case when rolcanlogin and not logs_in then 'nologin' when logs_in and not rolcanlogin then 'login' end,
         case when rolconnlimit <> -1 then 'connection limit -1' end,
         case when rolvaliduntil <> 'infinity' then 'valid until ''infinity''' end
       ) as differing
     from pg_roles
     join jsonb_to_recordset($1) as wanted (name text, logs_in boolean) on wanted.name = rolname`,
    [describeRoles()],
  );
  const changed = rows.filter(({ differing }) => differing !== "");
  for (const { name, differing } of changed) await admin.query(`alter role ${escapeIdentifier(name)} ${differing}`);
  return changed.map(({ name, differing }) => ({ role: name, change: `set ${differing}` }));
}

/**
 * Resets settings that differ, by hand or since an earlier version. Logins of executors have the settings of runner.
 */
export async function writeSettings(admin: Client): Promise<Change[]> {
  const { rows } = await admin.query<{ name: string; current: string[] }>(
    `select role.rolname as name, coalesce(stored.setconfig, '{}') as current
     from pg_roles role
     left join pg_db_role_setting stored on stored.setrole = role.oid and stored.setdatabase = 0
     where role.rolname = any ($1)
       or starts_with(role.rolname, $2) and shobj_description(role.oid, 'pg_authid') ~ $3`,
    [Object.keys(purposes), executorLogins.prefix, executorLogins.marked],
  );
  const changes: Change[] = [];
  for (const { name, current } of rows) {
    const wanted =
      roleSettings[name as LoginRole] ?? (name.startsWith(executorLogins.prefix) ? roleSettings.runner : {});
    const settings = await settable(admin, Object.entries(wanted ?? {}), current);
    const missing = settings.filter(([setting, value]) => !current.includes(`${setting}=${value}`));
    if (missing.length === 0 && current.length === settings.length) continue;
    await admin.query(`alter role ${escapeIdentifier(name)} reset all`);
    await setAll(admin, name, settings);
    changes.push({ role: name, change: "set its settings" });
  }
  return changes;
}

/** Settings for all future sessions of a role. */
export async function setAll(admin: Client, role: string, settings: [string, string][]): Promise<void> {
  for (const [setting, value] of await settable(admin, settings)) {
    await admin.query(
      `alter role ${escapeIdentifier(role)} set ${escapeIdentifier(setting)} = ${escapeLiteral(value)}`,
    );
  }
}

/**
 * Without settings that only a superuser may set, if the administrator is none: then the audit reports them.
 *
 * @param current as the role has them, NAME=value
 */
async function settable(
  admin: Client,
  settings: [string, string][],
  current: string[] = [],
): Promise<[string, string][]> {
  const { rows } = await admin.query<{ name: string }>(
    `select name from pg_settings
     where context = 'superuser' and name = any ($1) and not has_parameter_privilege(name, 'set')`,
    [settings.map(([name]) => name)],
  );
  const denied = new Set(rows.map(({ name }) => name));
  return settings.filter(([name, value]) => !denied.has(name) || current.includes(`${name}=${value}`));
}
