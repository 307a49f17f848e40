/** Faults of tables, keys, triggers and indexes. */
import type { Faults } from "./fault.ts";

const week = "select jobs.make_week('2020-01-06Z');";

export const faultsOfTables: Faults = {
  table_without_walls: {
    "a table of app": { plant: "create table app.careless ()", object: "table app.careless" },
    "a table elsewhere": { plant: "create table public.careless ()", object: "table public.careless" },
    "a table on which it isn't forced": {
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
    "a table whose policy went": {
      plant: "drop policy definitions_within_request on app.mails",
      object: "table app.mails",
      cure: "create policy definitions_within_request on app.mails for all to owner using (true)",
    },
  },
  partition_with_policy: {
    "one of its own": {
      plant: `${week} create policy definitions_within_request on partitions.events_20200106 for all to owner using (true)`,
      object: "policy definitions_within_request on partitions.events_20200106",
    },
  },
  partition_out_of_place: {
    "one that was taken out of its table": {
      plant: `${week} alter table app.events detach partition partitions.events_20200106`,
      object: "table partitions.events_20200106",
      cure: "drop table partitions.events_20200106",
    },
    "one beside its table": {
      plant:
        "create table app.careless partition of app.events for values from (minvalue) to ('00000000-0000-7000-8000-000000000000')",
      object: "table app.careless",
      cure: "alter table app.careless set schema partitions",
    },
  },
  table_of_nobody: {
    "a table that doesn't say": {
      plant: "create table app.careless (id uuid)",
      object: "table app.careless",
      cure: "alter table app.careless add organisation_id uuid",
    },
  },
  primary_key_without_organisation: {
    "one on a digest": {
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
    "an index that has it last": {
      plant: "create unique index names on app.bots (name, organisation_id)",
      object: "index app.names",
      cure: "drop index app.names",
    },
    "an index on what is computed": {
      plant: "create unique index names on app.bots (lower(name))",
      object: "index app.names",
      cure: "drop index app.names",
    },
  },
  foreign_key_without_organisation: {
    "one by id alone": {
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
    "a reference that is not enforced": {
      plant: `alter table app.runs add constraint loose foreign key (organisation_id, bot_id)
        references app.bots (organisation_id, id) not enforced`,
      object: "constraint loose on app.runs",
      cure: "alter table app.runs alter constraint loose enforced",
    },
  },
  index_invalid: {
    "one whose making was broken off": {
      plant: "update pg_index set indisvalid = false where indexrelid = 'app.api_keys_pkey'::regclass",
      object: "index app.api_keys_pkey",
    },
  },
  trigger_disabled: {
    "one of ours": {
      plant: "alter table app.api_keys disable trigger _100_hold_ceiling",
      object: "trigger _100_hold_ceiling on app.api_keys",
      cure: "alter table app.api_keys enable trigger _100_hold_ceiling",
    },
    "one that fires for replicas too": {
      plant: "alter table app.api_keys enable always trigger _100_hold_ceiling",
      object: "trigger _100_hold_ceiling on app.api_keys",
      cure: "alter table app.api_keys enable trigger _100_hold_ceiling",
    },
  },
  rule_on_table: {
    "one that swallows what is written": {
      plant: "create rule swallow as on insert to app.events do instead nothing",
      object: "rule swallow on app.events",
    },
  },
  event_trigger: {
    "one on every definition": {
      plant: `create function public.spy() returns event_trigger language plpgsql as 'begin end';
        revoke execute on function public.spy from public;
        create event trigger spy on ddl_command_end execute function public.spy()`,
      object: "event trigger spy",
    },
  },
};
