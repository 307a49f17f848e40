/** Faults: tables and keys. */
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
};
