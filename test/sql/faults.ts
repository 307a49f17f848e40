/**
 * Faults to build into a database, by the wall that must notice each, and how it must name them.
 */
type Fault = { fault: string; breach: string };

const definer = (config: string) =>
  `create function jobs.careless() returns int language sql security definer ${config} as 'select 1';
   revoke execute on function jobs.careless from public;`;

export const faults: Record<string, Record<string, Fault>> = {
  "row-level security is enabled and forced on every table": {
    "a table of app without it": { fault: "create table app.careless ()", breach: "app.careless" },
    "a table elsewhere without it": { fault: "create table public.careless ()", breach: "careless" },
    "a table on which it isn't forced": {
      fault: "alter table app.runs no force row level security",
      breach: "app.runs",
    },
    "a partition without it": {
      fault: `select jobs.make_week('2020-01-06Z');
        alter table partitions.events_20200106 disable row level security`,
      breach: "partitions.events_20200106",
    },
    "a partitioned table without it": {
      fault: "create table app.careless (id uuid) partition by range (id)",
      breach: "app.careless",
    },
  },
  "every table of ours has a policy for the definer functions that work on it": {
    "a table without one": { fault: "drop policy definitions_within_request on app.mails", breach: "app.mails" },
  },
  "a partition lies in schema partitions, is reached through its table alone, and nothing else lies there": {
    "one with a policy": {
      fault: `select jobs.make_week('2020-01-06Z');
        create policy definitions_within_request on partitions.events_20200106 for all to owner using (true)`,
      breach: "partitions.events_20200106 has a policy of its own",
    },
    "one that tenant may read": {
      fault: "select jobs.make_week('2020-01-06Z'); grant select on partitions.events_20200106 to tenant",
      breach: "tenant on partitions.events_20200106",
    },
    "a column that worker may read": {
      fault: "select jobs.make_week('2020-01-06Z'); grant select (id) on partitions.events_20200106 to worker",
      breach: "worker on partitions.events_20200106",
    },
    "a way in": { fault: "grant usage on schema partitions to tenant", breach: "tenant in partitions" },
    "one that was taken out of its table": {
      fault: `select jobs.make_week('2020-01-06Z');
        alter table app.events detach partition partitions.events_20200106`,
      breach: "partitions.events_20200106 is out of place",
    },
    "one beside its table": {
      fault:
        "create table app.careless partition of app.events for values from (minvalue) to ('00000000-0000-7000-8000-000000000000')",
      breach: "app.careless is out of place",
    },
  },
  "no policy speaks to everybody, and only tenant, authenticator, searcher and owner are spoken to": {
    "one for PUBLIC": { fault: "create policy open on app.runs using (true)", breach: "app.runs.open" },
    "one for server": { fault: "create policy open on app.runs to server using (true)", breach: "app.runs.open" },
  },
  "tenant has no privilege without a policy for it": {
    "a privilege on a whole table": { fault: "grant delete on app.runs to tenant", breach: "app.runs delete" },
    "a privilege on a column": { fault: "grant update (kind) on app.steps to tenant", breach: "app.steps update" },
    "a policy that went": { fault: "drop policy select_own on app.conversations", breach: "app.conversations select" },
  },
  "a policy of tenant on a table of tenants compares with the caller's organisation": {
    "one that forgets it": {
      fault: "create policy open on app.runs for select to tenant using (state = 'completed')",
      breach: "app.runs.open",
    },
    "an insert that forgets it": {
      fault: "create policy open on app.runs for insert to tenant with check (person_id = caller.person_id())",
      breach: "app.runs.open",
    },
  },
  "tenant can neither truncate a table nor refer to it, since policies do not hold these": {
    truncate: { fault: "grant truncate on app.bots to tenant", breach: "app.bots" },
    references: { fault: "grant references on app.bots to tenant", breach: "app.bots" },
  },
  "a table says whose its rows are, or is known to belong to nobody": {
    "a table that doesn't say": { fault: "create table app.careless (id uuid)", breach: "app.careless" },
  },
  "primary keys and unique constraints and indexes of tenants' tables begin with organisation_id, or are of a digest": {
    "a unique constraint without it": {
      fault: "alter table app.bots add constraint names unique (name)",
      breach: "app.names",
    },
    "a unique index that has it last": {
      fault: "create unique index names on app.bots (name, organisation_id)",
      breach: "app.names",
    },
    "a primary key on a digest": {
      fault: "alter table app.api_keys drop constraint api_keys_pkey cascade, add constraint own primary key (digest)",
      breach: "app.own",
    },
  },
  "a foreign key to a table of tenants begins with organisation_id on both sides": {
    "one by id alone": {
      fault: `alter table app.bots add constraint ids unique (id);
        alter table app.runs add constraint loose foreign key (bot_id) references app.bots (id)`,
      breach: "app.runs.loose",
    },
  },
  "a definer function pins search_path to nothing": {
    "one that doesn't": { fault: definer(""), breach: "jobs.careless()" },
    "one that pins it to a schema": { fault: definer("set search_path = app"), breach: "jobs.careless()" },
  },
  "a definer function says what stands in place of row-level security": {
    "one that doesn't": { fault: definer("set search_path = ''"), breach: "jobs.careless()" },
    "one that says nothing after it": {
      fault: `${definer("")} comment on function jobs.careless is 'Instead of row-level security: '`,
      breach: "jobs.careless()",
    },
  },
  "PUBLIC may enter no schema, execute nothing and read nothing": {
    "a schema opened": { fault: "grant usage on schema api to public", breach: "schema api" },
    "schema public opened": { fault: "grant usage on schema public to public", breach: "schema public" },
    "a function opened": { fault: "grant execute on function api.recall to public", breach: "api.recall(bytea,bytea)" },
    "a function made by someone else": {
      fault: "create function jobs.careless() returns int language sql as 'select 1'",
      breach: "jobs.careless()",
    },
    "a table opened": { fault: "grant select on app.mails to public", breach: "app.mails" },
    "a column opened": { fault: "grant select (digest) on app.api_keys to public", breach: "app.api_keys" },
  },
  "the functions of schema api are the operations of the contract and the way to them": {
    "one too many": {
      fault: "create function api.careless() returns int language sql as 'select 1'",
      breach: "without an operation: careless",
    },
    "one too few": { fault: "drop function api.get_me", breach: "without a function: get_me" },
  },
  "a view in schema rows reads as whoever asks": {
    "one that reads as its owner": { fault: "create view rows.careless as select 1", breach: "rows.careless" },
  },
  "no role of ours is above row-level security or makes others": {
    "a superuser": { fault: "alter role owner superuser", breach: "owner" },
    "one that bypasses it": { fault: "alter role tenant bypassrls", breach: "tenant" },
  },
  "only owner may become or work as another role: three to hand functions to, and worker, to queue": {
    "server made owner": { fault: "grant owner to server", breach: "server is owner" },
    "a foreign role given to tenant": {
      fault: "grant pg_read_all_data to tenant",
      breach: "tenant is pg_read_all_data",
    },
  },
  "tenant cannot log in and owns api.handle alone": {
    "a login": { fault: "alter role tenant login", breach: "tenant" },
    "a table of its own": { fault: "alter table app.mails owner to tenant", breach: "table app.mails" },
    "another function": {
      fault: "alter function api.recall owner to tenant",
      breach: "function api.recall(bytea,bytea)",
    },
    "api.handle taken away": { fault: "alter function api.handle owner to owner", breach: "api.handle is not its own" },
  },
  "authenticator cannot log in, owns caller.authenticate alone, and only looks credentials up": {
    "a login": { fault: "alter role authenticator login", breach: "authenticator" },
    "another function": {
      fault: "alter function caller.be_nobody owner to authenticator",
      breach: "function caller.be_nobody()",
    },
    "caller.authenticate taken away": {
      fault: "alter function caller.authenticate owner to owner",
      breach: "caller.authenticate is not its own",
    },
    "a column more": { fault: "grant select (name) on app.api_keys to authenticator", breach: "app.api_keys.name" },
    "a table more": { fault: "grant select (id) on app.runs to authenticator", breach: "app.runs.id" },
    "a write": { fault: "grant update (revoked_at) on app.api_keys to authenticator", breach: "app.api_keys" },
  },
  "searcher cannot log in, owns search.claims alone, and reads neither what claims say nor anything else": {
    "a login": { fault: "alter role searcher login", breach: "searcher" },
    "another function": { fault: "alter function search.many owner to searcher", breach: "function search.many()" },
    "search.claims taken away": {
      fault: "alter function search.claims owner to owner",
      breach: "search.claims is not its own",
    },
    "what claims say": { fault: "grant select (value) on app.memories to searcher", breach: "app.memories.value" },
    "a table more": { fault: "grant select (id) on app.runs to searcher", breach: "app.runs.id" },
    "a write": { fault: "grant update (search) on app.memories to searcher", breach: "app.memories" },
  },
  "server may execute api.handle and nothing else, reads nothing and owns nothing": {
    "another function": {
      fault: "grant execute on function api.recall to server",
      breach: "api.recall(bytea,bytea)",
    },
    "a function of a schema it can't enter": {
      fault: "grant execute on function jobs.forget to server",
      breach: "jobs.forget()",
    },
    "a view": { fault: "grant select on rows.runs to server", breach: "rows.runs" },
    "a column": { fault: "grant select (email) on app.people to server", breach: "app.people" },
    "a sequence": {
      fault: "create sequence app.careless; grant usage on sequence app.careless to server",
      breach: "app.careless",
    },
    "another schema": { fault: "grant usage on schema caller to server", breach: "schema caller" },
    "something of its own": {
      fault: "create schema careless authorization server; revoke all on schema careless from server",
      breach: "schema careless",
    },
  },
  "worker, runner, operator and auditor have no privilege on a table of app, nor a way into its schema": {
    "a table": { fault: "grant select on app.deliveries to worker", breach: "worker on app.deliveries" },
    "a column": { fault: "grant update (state) on app.runs to runner", breach: "runner on app.runs" },
    "the schema": { fault: "grant usage on schema app to operator", breach: "operator in app" },
  },
  "tenant has no way into the queue of jobs": {
    "the schema opened": { fault: "grant usage on schema graphile_worker to tenant", breach: "graphile_worker" },
  },
  "tenant reads no digest of a key and no sealed secret": {
    "a column opened": { fault: "grant select (digest) on app.api_keys to tenant", breach: "app.api_keys.digest" },
    "a whole table opened": {
      fault: "grant select on app.webhook_endpoints to tenant",
      breach: "app.webhook_endpoints.secret_sealed",
    },
  },
  "tenant moves no row to another organisation and rewrites no id": {
    "a column opened": { fault: "grant update (owner_id) on app.bots to tenant", breach: "app.bots.owner_id" },
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
};
