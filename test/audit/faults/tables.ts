/** Faults: tables, keys, triggers and indexes. */
import type { Faults } from "./fault.ts";

const week = "select jobs.make_week('2020-01-06Z');";

export const faultsOfTables: Faults = {
  rls_not_forced: {
    "a table of app": { plant: "create table app.careless ()", object: "table app.careless" },
    "a table in another schema": { plant: "create table public.careless ()", object: "table public.careless" },
    "a table without force": {
      plant: "alter table app.runs no force row level security",
      object: "table app.runs",
    },
    "a partition": {
      plant: `${week} alter table partitions.events_20200106 disable row level security`,
      object: "table partitions.events_20200106",
    },
    "a partitioned table": {
      plant: "create table app.careless (id uuid) partition by range (id)",
      object: "table app.careless",
    },
  },
  table_without_policy: {
    "a table with a dropped policy": {
      plant: "drop policy definitions_within_request on app.mails",
      object: "table app.mails",
      cure: "create policy definitions_within_request on app.mails for all to owner using (true)",
    },
  },
  partition_with_policy: {
    "a policy on a partition": {
      plant: `${week} create policy definitions_within_request on partitions.events_20200106 for all to owner using (true)`,
      object: "policy definitions_within_request on partitions.events_20200106",
    },
  },
  partition_out_of_place: {
    "a detached partition": {
      plant: `${week} alter table app.events detach partition partitions.events_20200106`,
      object: "table partitions.events_20200106",
      cure: "drop table partitions.events_20200106",
    },
    "a partition in schema app": {
      plant:
        "create table app.careless partition of app.events for values from (minvalue) to ('00000000-0000-7000-8000-000000000000')",
      object: "table app.careless",
      cure: "alter table app.careless set schema partitions",
    },
  },
  table_without_organisation: {
    "a table without organisation_id": {
      plant: "create table app.careless (id uuid)",
      object: "table app.careless",
      cure: "alter table app.careless add organisation_id uuid",
    },
  },
  primary_key_without_organisation: {
    "a primary key on a digest": {
      plant: "alter table app.api_keys drop constraint api_keys_pkey cascade, add constraint own primary key (digest)",
      object: "constraint own on app.api_keys",
      cure: "alter table app.api_keys drop constraint own, add primary key (organisation_id, id)",
    },
  },
  unique_without_organisation: {
    "a constraint": {
      plant: "alter table app.bots add constraint names unique (name)",
      object: "constraint names on app.bots",
      cure: "alter table app.bots drop constraint names, add constraint names unique (organisation_id, name)",
    },
    "an index with organisation_id last": {
      plant: "create unique index names on app.bots (name, organisation_id)",
      object: "index app.names",
      cure: "drop index app.names",
    },
    "an index on an expression": {
      plant: "create unique index names on app.bots (lower(name))",
      object: "index app.names",
      cure: "drop index app.names",
    },
  },
  foreign_key_without_organisation: {
    "a reference by id alone": {
      plant: `alter table app.bots add constraint ids unique (id);
        alter table app.runs add constraint loose foreign key (bot_id) references app.bots (id)`,
      object: "constraint loose on app.runs",
      cure: `alter table app.runs drop constraint loose,
        add constraint loose foreign key (organisation_id, bot_id) references app.bots (organisation_id, id)`,
    },
  },
  constraint_not_enforced: {
    "a check that is not validated": {
      plant: "alter table app.bots add constraint named check (name <> 'x') not valid",
      object: "constraint named on app.bots",
      cure: "alter table app.bots validate constraint named",
    },
    "a foreign key that is not enforced": {
      plant: `alter table app.runs add constraint loose foreign key (organisation_id, bot_id)
        references app.bots (organisation_id, id) not enforced`,
      object: "constraint loose on app.runs",
      cure: "alter table app.runs alter constraint loose enforced",
    },
  },
  index_invalid: {
    "an index whose creation failed": {
      plant: "update pg_index set indisvalid = false where indexrelid = 'app.api_keys_pkey'::regclass",
      object: "index app.api_keys_pkey",
    },
  },
  trigger_disabled: {
    "a trigger of ours": {
      plant: "alter table app.api_keys disable trigger _200_live_keys",
      object: "trigger _200_live_keys on app.api_keys",
      cure: "alter table app.api_keys enable trigger _200_live_keys",
    },
    "a trigger that also fires on replicas": {
      plant: "alter table app.api_keys enable always trigger _200_live_keys",
      object: "trigger _200_live_keys on app.api_keys",
      cure: "alter table app.api_keys enable trigger _200_live_keys",
    },
  },
  rule_on_table: {
    "a rule that discards inserts": {
      plant: "create rule swallow as on insert to app.events do instead nothing",
      object: "rule swallow on app.events",
    },
  },
  event_trigger: {
    "an event trigger on ddl_command_end": {
      plant: `create function public.spy() returns event_trigger language plpgsql as 'begin end';
        revoke execute on function public.spy from public;
        create event trigger spy on ddl_command_end execute function public.spy()`,
      object: "event trigger spy",
    },
  },
};
