/** Faults: privileges. */
import { executor, type Faults } from "./fault.ts";

const undone = (grant: string) => grant.replace(/^grant/, "revoke").replace(/ to (\w+)$/, " from $1");
const granted = (grant: string, object: string) => ({ plant: grant, object, cure: undone(grant) });
const inWeek = (grant: string) => ({
  plant: `select jobs.make_week('2020-01-06Z'); ${grant}`,
  object: "table partitions.events_20200106",
  cure: undone(grant),
});

export const faultsOfPrivileges: Faults = {
  open_to_public: {
    "a schema": { plant: "grant usage on schema api to public", object: "schema api" },
    "schema public": { plant: "grant usage on schema public to public", object: "schema public" },
    "a foreign schema": {
      plant: "create schema careless; grant usage on schema careless to public",
      object: "schema careless",
    },
    "a function": {
      plant: "grant execute on function api_private.find_response to public",
      object: "function api_private.find_response(bytea,bytea)",
    },
    "a foreign function": {
      plant: "create function jobs.careless() returns int language sql as 'select 1'",
      object: "function jobs.careless()",
    },
    "a table": { plant: "grant select on app.mails to public", object: "table app.mails" },
    "a column": {
      plant: "grant select (digest) on app.api_keys to public",
      object: "table app.api_keys",
      cure: "revoke select (digest) on app.api_keys from public",
    },
    "a sequence": {
      plant: "create sequence app.careless; grant usage on sequence app.careless to public",
      object: "sequence app.careless",
    },
  },
  schema_open: {
    "worker in partitions": { plant: "grant usage on schema partitions to worker", object: "schema partitions" },
    "tenant in the job queue": {
      plant: "grant usage on schema graphile_worker to tenant",
      object: "schema graphile_worker",
    },
    "an executor in the job queue": {
      plant: `${executor}; grant usage on schema graphile_worker to executor_careless`,
      object: "schema graphile_worker",
    },
    "server in schema caller": { plant: "grant usage on schema caller to server", object: "schema caller" },
    "operator in app": { plant: "grant usage on schema app to operator", object: "schema app" },
    "tenant in audit": { plant: "grant usage on schema audit to tenant", object: "schema audit" },
    "tenant creating objects in api": { plant: "grant create on schema api to tenant", object: "schema api" },
    "a foreign login": {
      plant: "create role outsider; grant usage on schema app to outsider",
      object: "schema app",
    },
  },
  unintended_privilege: {
    truncate: granted("grant truncate on app.bots to tenant", "table app.bots"),
    references: granted("grant references on app.bots to tenant", "table app.bots"),
    "references on a column": granted("grant references (id) on app.bots to worker", "table app.bots"),
    trigger: granted("grant trigger on app.bots to tenant", "table app.bots"),
    maintain: granted("grant maintain on app.bots to authenticator", "table app.bots"),
    "a table of app, for worker": granted("grant select on app.deliveries to worker", "table app.deliveries"),
    "a column of app, for runner": granted("grant update (state) on app.runs to runner", "table app.runs"),
    "a partition, for tenant": inWeek("grant select on partitions.events_20200106 to tenant"),
    "a column of a partition": inWeek("grant select (id) on partitions.events_20200106 to worker"),
    "a view, for server": granted("grant select on rows.runs to server", "view rows.runs"),
    "a column of a view, for server": granted("grant select (id) on rows.runs to server", "view rows.runs"),
    "a view of the console, for tenant": granted("grant select on operator.members to tenant", "view operator.members"),
    "a sequence": {
      plant: "create sequence app.careless; grant usage on sequence app.careless to server",
      object: "sequence app.careless",
      cure: "revoke usage on sequence app.careless from server",
    },
    "a write, for authenticator": granted(
      "grant update (revoked_at) on app.api_keys to authenticator",
      "table app.api_keys",
    ),
    "a write, for searcher": granted("grant update (search_vector) on app.memories to searcher", "table app.memories"),
    "the findings, for operator": granted("grant select on audit.findings to operator", "view audit.findings"),
    "a foreign login": {
      plant: "create role outsider login; grant select on app.people to outsider",
      object: "table app.people",
      cure: "revoke select on app.people from outsider",
    },
  },
  unexpected_executor: {
    "server, beside api.handle": {
      plant: "grant execute on function api_private.find_response to server",
      object: "function api_private.find_response(bytea,bytea)",
    },
    "server, in a schema that it cannot enter": {
      plant: "grant execute on function jobs.truncate_day to server",
      object: "function jobs.truncate_day()",
    },
    "tenant, on a definer function": {
      plant: "grant execute on function jobs.run_maintenance to tenant",
      object: "function jobs.run_maintenance()",
    },
    "auditor, on a function that runs as tenant": {
      plant: "grant execute on function audit.exposure to operator",
      object: "function audit.exposure(uuid,uuid,text,text)",
    },
    "the console, on minting operator tokens": {
      plant: "grant execute on function operator.mint_token to operator",
      object: "function operator.mint_token(text,app.operator_scope,integer,bytea)",
    },
    "the console, on minting keys of organisations": {
      plant: "grant execute on function operator.mint_key to operator",
      object: "function operator.mint_key(text,text,text,app.key_scope,integer,text,bytea)",
    },
    "the console, on minting platform keys": {
      plant: "grant execute on function operator.mint_platform_key to operator",
      object: "function operator.mint_platform_key(text,integer,text,bytea)",
    },
    "the console, on an operator action without token check": {
      plant: `create function operator.careless() returns void language sql security definer set search_path = ''
          as $$ update app.operator_tokens set scope = 'act' $$;
        grant execute on function operator.careless to operator`,
      object: "function operator.careless()",
    },
    "the command line, on an operator action of the console": {
      plant: "grant execute on function operator.view_as to cli",
      object: "function operator.view_as(uuid,uuid,bytea,text)",
    },
    "runner, on an operator action": {
      plant: "grant execute on function operator.allow_kind to runner",
      object: "function operator.allow_kind(uuid,text,text)",
    },
  },
  builtin_open: {
    "advisory locks for PUBLIC": {
      plant: "grant execute on function pg_advisory_lock(bigint) to public",
      object: "role PUBLIC",
      cure: "revoke execute on function pg_advisory_lock(bigint) from public",
    },
    "advisory locks for an executor": {
      plant: `${executor}; grant execute on function pg_try_advisory_xact_lock_shared(integer, integer) to executor_careless`,
      object: "role executor_careless",
      cure: "revoke execute on function pg_try_advisory_xact_lock_shared(integer, integer) from executor_careless",
    },
    "large objects for tenant": {
      plant: "grant execute on function lo_create(oid) to tenant",
      object: "role tenant",
      cure: "revoke execute on function lo_create(oid) from tenant",
    },
    "writing large objects": {
      plant: "grant execute on function lowrite(integer, bytea) to public",
      object: "role PUBLIC",
      cure: "revoke execute on function lowrite(integer, bytea) from public",
    },
    "messages in the write-ahead log": {
      plant: "grant execute on function pg_logical_emit_message(boolean, text, text, boolean) to public",
      object: "role PUBLIC",
      cure: "revoke execute on function pg_logical_emit_message(boolean, text, text, boolean) from public",
    },
  },
  secret_readable: {
    "a digest, for tenant": {
      plant: "grant select (digest) on app.api_keys to tenant",
      object: "column app.api_keys.digest",
      cure: "revoke select (digest) on app.api_keys from tenant",
    },
    "a sealed column, with its whole table": {
      plant: "grant select on app.webhook_endpoints to tenant",
      object: "column app.webhook_endpoints.secret_sealed",
      cure: "revoke select on app.webhook_endpoints from tenant",
    },
  },
  origin_updatable: {
    "the owner of a bot": {
      plant: "grant update (owner_id) on app.bots to tenant",
      object: "column app.bots.owner_id",
      cure: "revoke update (owner_id) on app.bots from tenant",
    },
  },
};
