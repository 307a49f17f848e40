/** Faults of privileges. */
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
    "somebody's schema": {
      plant: "create schema careless; grant usage on schema careless to public",
      object: "schema careless",
    },
    "a function": {
      plant: "grant execute on function api.recall to public",
      object: "function api.recall(bytea,bytea)",
    },
    "a function that somebody made": {
      plant: "create function jobs.careless() returns int language sql as 'select 1'",
      object: "function jobs.careless()",
    },
    "the database": {
      plant: "do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$",
      object: "database :database",
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
  open_from_now_on: {
    "functions, for everybody": {
      plant: "alter default privileges for role owner grant execute on functions to public",
      object: "role owner",
      cure: "alter default privileges for role owner revoke execute on functions from public",
    },
    "tables, for tenant": {
      plant: "alter default privileges for role owner in schema app grant select on tables to tenant",
      object: "role owner",
      cure: "alter default privileges for role owner in schema app revoke select on tables from tenant",
    },
  },
  way_in: {
    "worker in partitions": { plant: "grant usage on schema partitions to worker", object: "schema partitions" },
    "tenant in the queue of jobs": {
      plant: "grant usage on schema graphile_worker to tenant",
      object: "schema graphile_worker",
    },
    "an executor in the queue of jobs": {
      plant: `${executor}; grant usage on schema graphile_worker to executor_careless`,
      object: "schema graphile_worker",
    },
    "server where who asks is set": { plant: "grant usage on schema caller to server", object: "schema caller" },
    "operator in app": { plant: "grant usage on schema app to operator", object: "schema app" },
    "tenant in audit": { plant: "grant usage on schema audit to tenant", object: "schema audit" },
    "tenant making things where it works": { plant: "grant create on schema api to tenant", object: "schema api" },
    "somebody who isn't ours": {
      plant: "create role stranger; grant usage on schema app to stranger",
      object: "schema app",
    },
  },
  outside_row_security: {
    truncate: granted("grant truncate on app.bots to tenant", "table app.bots"),
    references: granted("grant references on app.bots to tenant", "table app.bots"),
    "references on a column": granted("grant references (id) on app.bots to worker", "table app.bots"),
    trigger: granted("grant trigger on app.bots to tenant", "table app.bots"),
    maintain: granted("grant maintain on app.bots to authenticator", "table app.bots"),
  },
  unintended_privilege: {
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
    "a write, for searcher": granted("grant update (search) on app.memories to searcher", "table app.memories"),
    "the findings, for operator": granted("grant select on audit.findings to operator", "view audit.findings"),
    "a login that isn't ours": {
      plant: "create role stranger login; grant select on app.people to stranger",
      object: "table app.people",
      cure: "revoke select on app.people from stranger",
    },
  },
  unexpected_executor: {
    "server, beside api.handle": {
      plant: "grant execute on function api.recall to server",
      object: "function api.recall(bytea,bytea)",
    },
    "server, in a schema that it can't enter": {
      plant: "grant execute on function jobs.empty_day to server",
      object: "function jobs.empty_day()",
    },
    "tenant, of what works as its owner": {
      plant: "grant execute on function jobs.sweep to tenant",
      object: "function jobs.sweep()",
    },
    "auditor, of what asks as tenant": {
      plant: "grant execute on function audit.exposure to operator",
      object: "function audit.exposure(uuid,uuid)",
    },
    "runner, of what an operator does": {
      plant: "grant execute on function operator.allow_kind to runner",
      object: "function operator.allow_kind(uuid,text,text)",
    },
  },
  database_privilege: {
    "server making schemas": {
      plant: "do $$ begin execute format('grant create on database %I to server', current_database()); end $$",
      object: "database :database",
      cure: "do $$ begin execute format('revoke create on database %I from server', current_database()); end $$",
    },
    "an executor making schemas and temporary tables": {
      plant: `${executor};
        do $$ begin execute format('grant create, temporary on database %I to executor_careless', current_database()); end $$`,
      object: "database :database",
      cure: "do $$ begin execute format('revoke create, temporary on database %I from executor_careless', current_database()); end $$",
    },
  },
  secret_readable: {
    "a digest, for tenant": {
      plant: "grant select (digest) on app.api_keys to tenant",
      object: "column app.api_keys.digest",
      cure: "revoke select (digest) on app.api_keys from tenant",
    },
    "what is sealed, with its whole table": {
      plant: "grant select on app.webhook_endpoints to tenant",
      object: "column app.webhook_endpoints.secret_sealed",
      cure: "revoke select on app.webhook_endpoints from tenant",
    },
  },
  row_moves: {
    "a bot that changes hands": {
      plant: "grant update (owner_id) on app.bots to tenant",
      object: "column app.bots.owner_id",
      cure: "revoke update (owner_id) on app.bots from tenant",
    },
  },
};
