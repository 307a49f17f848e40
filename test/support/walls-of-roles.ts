/** What each role of ours may do, and above all what none of them may. */
import { functions, reaches, relations, roles, tables } from "./catalogue.ts";
import type { Wall } from "./walls.ts";

/** Of a role that functions are handed to: that somebody could log in as it, or what it owns besides the one. */
const ownsAlone = (role: string, owned: string) => `
      select rolname from pg_roles where rolname = '${role}' and rolcanlogin
      union all
      select pg_describe_object(classid, objid, objsubid)
      from pg_shdepend
      where refclassid = 'pg_authid'::regclass and refobjid = '${role}'::regrole and deptype = 'o'
        and dbid = (select oid from pg_database where datname = current_database())
        and (classid, objid) <> ('pg_proc'::regclass, to_regproc('${owned}'))
      union all
      select '${owned} is not its own' where not exists (
        select from pg_proc where oid = to_regproc('${owned}') and proowner = '${role}'::regrole and prosecdef
      )`;

/** The columns that a role may read; to be narrowed by what is said after it. */
const columnsRead = (role: string) => `
      select attrelid::regclass || '.' || attname
      from pg_attribute join (${relations}) relation on relation.oid = attrelid
      where attnum > 0 and not attisdropped and has_column_privilege('${role}', attrelid, attnum, 'select')`;

/** The relations that a role may do anything to but read. */
const writes = (role: string) => `
      select name from (${relations}) relation
      where relkind <> 'S' and (
        has_table_privilege('${role}', oid, 'insert, update, delete, truncate, references, trigger, maintain')
        or has_any_column_privilege('${role}', oid, 'insert, update, references')
      )`;

export const wallsOfRoles: Wall[] = [
  {
    name: "no role of ours is above row-level security or makes others",
    breaches: `
      select rolname from pg_roles
      where rolname in ${roles}
        and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)`,
  },
  {
    name: "only owner may become or work as another role: three to hand functions to, and worker, to queue",
    breaches: `
      select member::regrole || ' is ' || roleid::regrole
      from pg_auth_members
      where member::regrole::text in ${roles}
        and (member, roleid, inherit_option, set_option, admin_option) not in (
          ('owner'::regrole, 'tenant'::regrole, false, true, false),
          ('owner'::regrole, 'authenticator'::regrole, false, true, false),
          ('owner'::regrole, 'searcher'::regrole, false, true, false),
          ('owner'::regrole, 'worker'::regrole, true, false, false)
        )`,
  },
  {
    name: "tenant cannot log in and owns api.handle alone",
    breaches: ownsAlone("tenant", "api.handle"),
  },
  {
    name: "authenticator cannot log in, owns caller.authenticate alone, and only looks credentials up",
    breaches: `
      ${ownsAlone("authenticator", "caller.authenticate")}
      union all
      ${columnsRead("authenticator")} and (attrelid::regclass::text, attname) not in (
          ('app.api_keys', 'organisation_id'), ('app.api_keys', 'id'), ('app.api_keys', 'digest'),
          ('app.api_keys', 'scope'), ('app.api_keys', 'created_by'), ('app.api_keys', 'expires_at'),
          ('app.api_keys', 'revoked_at'), ('app.api_key_uses', 'organisation_id'), ('app.api_key_uses', 'key_id'),
          ('app.api_key_uses', 'last_used_at'), ('app.memberships', 'organisation_id'),
          ('app.memberships', 'person_id'), ('app.memberships', 'role'), ('app.platform_keys', 'id'),
          ('app.platform_keys', 'digest'), ('app.platform_keys', 'expires_at'), ('app.platform_keys', 'revoked_at'),
          ('app.invitations', 'id'), ('app.invitations', 'token_digest'),
          ('app.approvals', 'id'), ('app.approvals', 'token_digest'), ('app.hooks', 'organisation_id'),
          ('app.hooks', 'id'), ('app.hooks', 'secret_digest'), ('app.hooks', 'deleted_at')
        )
      union all
      ${writes("authenticator")}`,
  },
  {
    name: "searcher cannot log in, owns search.claims alone, and reads neither what claims say nor anything else",
    breaches: `
      ${ownsAlone("searcher", "search.claims")}
      union all
      ${columnsRead("searcher")} and not (attrelid = 'app.memories'::regclass and attname in (
          'organisation_id', 'id', 'scope', 'bot_id', 'member_id', 'kind', 'subject_key', 'subject_kind', 'confidence',
          'valid_to', 'provenance', 'search'
        ))
      union all
      ${writes("searcher")}`,
  },
  {
    name: "server may execute api.handle and nothing else, reads nothing and owns nothing",
    breaches: `
      select name from (${functions}) function
      where has_function_privilege('server', oid, 'execute') <> (oid = to_regproc('api.handle'))
      union
      select name from (${relations}) relation where ${reaches("'server'")}
      union
      select 'schema ' || nspname from pg_namespace
      where nspname !~ '^(pg_|information_schema$)' and nspname <> 'api' and has_schema_privilege('server', oid, 'usage, create')
      union
      select pg_describe_object(classid, objid, objsubid)
      from pg_shdepend
      where refclassid = 'pg_authid'::regclass and refobjid = 'server'::regrole and deptype = 'o'`,
  },
  {
    name: "worker, runner, operator and auditor have no privilege on a table of app, nor a way into its schema",
    breaches: `
      select role.name || ' on ' || relation.name
      from (${relations}) relation, (values ('worker'), ('runner'), ('operator'), ('auditor')) as role (name)
      where nspname = 'app' and ${reaches("role.name")}
      union all
      select role.name || ' in app'
      from (values ('worker'), ('runner'), ('operator'), ('auditor'), ('server')) as role (name)
      where has_schema_privilege(role.name, 'app', 'usage, create')`,
  },
  {
    name: "tenant has no way into the queue of jobs",
    breaches: `select 'graphile_worker' where has_schema_privilege('tenant', 'graphile_worker', 'usage, create')`,
  },
  {
    name: "tenant reads no digest of a key and no sealed secret",
    breaches: `
      select attrelid::regclass || '.' || attname
      from pg_attribute
      where (attrelid::regclass::text, attname) in (
          ('app.api_keys', 'digest'), ('app.platform_keys', 'digest'), ('app.operator_tokens', 'digest'),
          ('app.webhook_endpoints', 'secret_sealed'), ('app.hooks', 'secret_sealed'), ('app.hooks', 'secret_digest'), ('app.invitations', 'token_digest'), ('app.mails', 'token_sealed'),
          ('app.approvals', 'token_digest')
        )
        and has_column_privilege('tenant', attrelid, attnum, 'select')`,
  },
  {
    name: "tenant moves no row to another organisation and rewrites no id",
    breaches: `
      select attrelid::regclass || '.' || attname
      from pg_attribute join (${tables}) tables on tables.oid = attrelid
      where relname <> 'idempotency_records' -- an upsert, which its policy binds to the caller's own key
        and attname in ('organisation_id', 'id', 'created_by', 'owner_id', 'person_id', 'provenance', 'source', 'digest')
        and has_column_privilege('tenant', attrelid, attnum, 'update')`,
  },
];
