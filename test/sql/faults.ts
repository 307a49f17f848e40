/**
 * Faults to plant in a database, by the invariant that must report them, with the expected report. Faults that
 * audit.findings must report are in test/audit/faults.
 */
type Fault = { fault: string; violation: string };

export const faults: Record<string, Record<string, Fault>> = {
  "authenticator reads only the columns that identify the owner of a credential": {
    "a column more": { fault: "grant select (name) on app.api_keys to authenticator", violation: "app.api_keys.name" },
    "a table more": { fault: "grant select (id) on app.runs to authenticator", violation: "app.runs.id" },
  },
  "searcher reads what finds memories and deliveries, and no subject, value or outcome": {
    "the value of memories": {
      fault: "grant select (value) on app.memories to searcher",
      violation: "app.memories.value",
    },
    "a table more": { fault: "grant select (id) on app.runs to searcher", violation: "app.runs.id" },
  },
  "no column or constraint of app depends on a schema that is rebuilt": {
    "a check": {
      fault: "alter table app.mails add constraint timed check (rows.time(created_at) <> '')",
      violation: "constraint timed on table app.mails",
    },
    "a default": {
      fault: "alter table app.mails alter recipient set default rows.time(now())",
      violation: "default value for column recipient of table app.mails",
    },
    "an index": {
      fault: "create index dependent on app.mails (coalesce(rows.before(null), id))",
      violation: "index app.dependent",
    },
    "a column's type": {
      fault: "alter table app.mails add dependent api.operations",
      violation: "column dependent of table app.mails",
    },
  },
  "every table of tenants is listed as logged or unlogged, and every listed column exists": {
    "an unlisted table of tenants": {
      fault: "create table app.careless (organisation_id uuid)",
      violation: "careless is not listed",
    },
    "a dropped column": {
      fault: "alter table app.bots drop column visibility cascade",
      violation: "bots.visibility is no column",
    },
  },
  "each table is stored with its organisation, on every node, or on one node, as listed": {
    "an unlisted table of no organisation": {
      fault: "create table app.careless (id uuid primary key)",
      violation: "careless has no place",
    },
    "a listed table that gets an organisation": {
      fault: "alter table app.model_prices add organisation_id uuid not null",
      violation: "model_prices is stored with its organisation and on every node",
    },
    "a dropped table": { fault: "drop table app.maintenance cascade", violation: "maintenance is no table" },
    "rows that may have no organisation": {
      fault: "create table app.careless (organisation_id uuid)",
      violation: "careless.organisation_id does not identify one node",
    },
  },
  "a unique index includes the organisation, because one node can check only its own rows": {
    "an id that is unique across organisations": {
      fault: "create unique index careless on app.runs (id)",
      violation: "runs.app.careless",
    },
    "a digest that is not in the directory": {
      fault: "alter table app.bots add token_digest bytea unique",
      violation: "bots.app.bots_token_digest_key",
    },
  },
  "both sides of a reference are stored on one node": {
    "a reference without the organisation": {
      fault: `create unique index careless on app.bots (id);
        alter table app.routines add constraint careless foreign key (bot_id) references app.bots (id)`,
      violation: "routines.careless refers to bots",
    },
    "a reference to a table on one node only": {
      fault: "alter table app.runs add executor uuid constraint careless references app.executors (id)",
      violation: "runs.careless refers to executors",
    },
    "a reference from a table on every node to a table on one node": {
      fault: "alter table app.people add key uuid constraint careless references app.platform_keys (id)",
      violation: "people.careless refers to platform_keys",
    },
  },
  "audit entries wait for all other deferred triggers and deferrable references of the transaction": {
    "a deferred trigger on a table whose writes do not defer entries": {
      fault:
        "create constraint trigger careless after insert on app.hooks deferrable for each row execute function triggers.tg_runs__settle_turn()",
      violation: "hooks.careless",
    },
    "a deferred trigger on insert where only update defers entries": {
      fault:
        "create constraint trigger careless after insert or update on app.bots deferrable for each row execute function triggers.tg_runs__settle_turn()",
      violation: "bots.careless",
    },
    "a table whose deferring trigger is dropped": {
      fault: "drop trigger _900_defer_audit_entry on app.bots",
      violation: "bots._700_set_next_model",
    },
  },
  "the audit log contains no free text: values are ids, states, numbers, times and reviewed texts": {
    "a column that became text": {
      fault: "alter table app.hooks drop column pause_reason cascade, add pause_reason text",
      violation: "hooks.pause_reason",
    },
  },
};
