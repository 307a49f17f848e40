/** Faults of whatever was altered since it was migrated. */
import type { Faults } from "./fault.ts";

export const faultsOfDefinitions: Faults = {
  definition_changed: {
    "a function's body": {
      plant:
        "create or replace function jobs.least_id(moment timestamptz) returns uuid language sql immutable set search_path = '' as 'select null::uuid'",
      object: "function jobs.least_id(timestamp with time zone)",
      cure: null,
    },
    "a policy's condition": {
      plant: "alter policy select_alive on app.executors using (false)",
      object: "policy select_alive on app.executors",
      cure: "alter policy select_alive on app.executors using (true)",
    },
    "a policy's words": {
      plant: "comment on policy select_visible on app.bots is 'All bots.'",
      object: "policy select_visible on app.bots",
      cure: "comment on policy select_visible on app.bots is 'The organisation''s bots of the team, and the caller''s own personal ones.'",
    },
    "a column more for tenant": {
      plant: "grant update (kind) on app.steps to tenant",
      object: "column app.steps.kind",
      cure: "revoke update (kind) on app.steps from tenant",
    },
    "a column's default": {
      plant: "alter table app.invitations alter role set default 'owner'",
      object: "column app.invitations.role",
      cure: "alter table app.invitations alter role drop default",
    },
    "a constraint that went": {
      plant: "alter table app.bots drop constraint bots_name_check",
      object: "constraint bots_name_check on app.bots",
      cure: null,
    },
    "an index that somebody made": {
      plant: "create index quick on app.runs (state)",
      object: "index app.quick",
      cure: "drop index app.quick",
    },
    "a trigger that somebody made": {
      plant: `create trigger spy after insert on app.messages for each row execute function triggers.tg_messages__tell()`,
      object: "trigger spy on app.messages",
      cure: "drop trigger spy on app.messages",
    },
    "a view's text": {
      plant:
        "create or replace view operator.platform_keys as select id, upper(name) as name, prefix, created_at, expires_at, revoked_at from app.platform_keys",
      object: "relation operator.platform_keys",
      cure: "create or replace view operator.platform_keys as select id, name, prefix, created_at, expires_at, revoked_at from app.platform_keys",
    },
    "a view's setting": {
      plant: "alter view rows.runs set (security_barrier = true)",
      object: "relation rows.runs",
      cure: "alter view rows.runs reset (security_barrier)",
    },
    "a function that somebody granted": {
      plant: "grant execute on function jobs.queue_mail to worker",
      object: "function jobs.queue_mail(uuid,uuid)",
      cure: "revoke execute on function jobs.queue_mail from worker",
    },
    "a value more of a type": {
      plant: "alter type app.key_scope add value 'all'",
      object: "type app.key_scope",
      cure: null,
    },
  },
};
