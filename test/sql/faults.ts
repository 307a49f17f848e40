/**
 * Faults to build into a database, by the wall that must notice each, and how it must name them. Those that audit.findings
 * must notice are in test/audit/faults.
 */
type Fault = { fault: string; breach: string };

export const faults: Record<string, Record<string, Fault>> = {
  "authenticator reads what tells whose a credential is, and nothing else": {
    "a column more": { fault: "grant select (name) on app.api_keys to authenticator", breach: "app.api_keys.name" },
    "a table more": { fault: "grant select (id) on app.runs to authenticator", breach: "app.runs.id" },
  },
  "searcher reads the words of claims and whose they are, and neither what they say nor anything else": {
    "what claims say": { fault: "grant select (value) on app.memories to searcher", breach: "app.memories.value" },
    "a table more": { fault: "grant select (id) on app.runs to searcher", breach: "app.runs.id" },
  },
  "no column or constraint of app hangs on a schema that is rebuilt": {
    "a check": {
      fault: "alter table app.mails add constraint timed check (rows.time(created_at) <> '')",
      breach: "constraint timed on table app.mails",
    },
    "a default": {
      fault: "alter table app.mails alter recipient set default rows.time(now())",
      breach: "default value for column recipient of table app.mails",
    },
    "an index": {
      fault: "create index hanging on app.mails (coalesce(rows.before(null), id))",
      breach: "index app.hanging",
    },
    "a column's type": {
      fault: "alter table app.mails add hanging api.operations",
      breach: "column hanging of table app.mails",
    },
  },
  "the trail tells of a table of tenants, or it is said why not; and of each column it is known what to make": {
    "a table of tenants that nobody thought of": {
      fault: "create table app.careless (organisation_id uuid)",
      breach: "careless is not listed",
    },
    "a column that nobody thought of": {
      fault: "alter table app.bots add careless text",
      breach: "bots.careless is not listed",
    },
    "a column that is gone": {
      fault: "alter table app.bots drop column instructions cascade",
      breach: "bots.instructions is no column",
    },
  },
  "each table lies with its organisation, on every node, or on one, as is said of it": {
    "a table of no organisation that nobody placed": {
      fault: "create table app.careless (id uuid primary key)",
      breach: "careless lies nowhere",
    },
    "one that came to belong to organisations": {
      fault: "alter table app.model_prices add organisation_id uuid not null",
      breach: "model_prices lies with its organisation and on every node",
    },
    "one that is gone": { fault: "drop table app.sweep cascade", breach: "sweep is no table" },
    "rows that may be nobody's": {
      fault: "create table app.careless (organisation_id uuid)",
      breach: "careless.organisation_id does not tell one node",
    },
  },
  "what is unique is so within an organisation, which is all that one node can tell": {
    "an id that is unique among all": {
      fault: "create unique index careless on app.runs (id)",
      breach: "runs.app.careless",
    },
    "a digest that the directory does not know": {
      fault: "alter table app.bots add token_digest bytea unique",
      breach: "bots.app.bots_token_digest_key",
    },
  },
  "what refers and what is referred to lie on one node": {
    "a reference to another organisation's, or anybody's": {
      fault: `create unique index careless on app.bots (id);
        alter table app.routines add constraint careless foreign key (bot_id) references app.bots (id)`,
      breach: "routines.careless refers to bots",
    },
    "to what lies on one node alone": {
      fault: "alter table app.runs add executor uuid constraint careless references app.executors (id)",
      breach: "runs.careless refers to executors",
    },
    "from what all nodes have to what one has": {
      fault: "alter table app.people add key uuid constraint careless references app.platform_keys (id)",
      breach: "people.careless refers to platform_keys",
    },
  },
  "the trail waits for whatever else is done at commit: for deferred triggers and deferrable references": {
    "a deferred trigger on a table whose writes don't let it wait": {
      fault:
        "create constraint trigger careless after insert on app.hooks deferrable for each row execute function triggers.tg_runs__settle_turn()",
      breach: "hooks.careless",
    },
    "one on a write that doesn't, where another does": {
      fault:
        "create constraint trigger careless after insert or update on app.bots deferrable for each row execute function triggers.tg_runs__settle_turn()",
      breach: "bots.careless",
    },
    "a table that no longer lets it wait": {
      fault: "drop trigger _900_let_trail_wait on app.bots",
      breach: "bots._700_take_turns_along",
    },
  },
  "the trail shows no words: values are ids, states, numbers and times, and texts that were looked at": {
    "a column that became text": {
      fault: "alter table app.hooks drop column pause_reason cascade, add pause_reason text",
      breach: "hooks.pause_reason",
    },
  },
};
