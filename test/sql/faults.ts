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
