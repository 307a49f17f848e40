/** Faults: definitions changed after the migration. */
import type { Faults } from "./fault.ts";

export const faultsOfDefinitions: Faults = {
  definition_changed: {
    "a function's body": {
      plant:
        "create or replace function times.least_id(moment timestamptz) returns uuid language sql immutable set search_path = '' as 'select null::uuid'",
      object: "function times.least_id(timestamp with time zone)",
      cure: null,
    },
    "a policy's condition": {
      plant: "alter policy select_alive on app.executors using (false)",
      object: "policy select_alive on app.executors",
      cure: "alter policy select_alive on app.executors using (true)",
    },
    "a policy's comment": {
      plant: "comment on policy select_visible on app.bots is 'All bots.'",
      object: "policy select_visible on app.bots",
      cure: "comment on policy select_visible on app.bots is 'The team bots of the organisation, and the caller''s own personal bots.'",
    },
    "an added column privilege of tenant": {
      plant: "grant update (kind) on app.steps to tenant",
      object: "column app.steps.kind",
      cure: "revoke update (kind) on app.steps from tenant",
    },
    "a column's default": {
      plant: "alter table app.invitations alter role set default 'owner'",
      object: "column app.invitations.role",
      cure: "alter table app.invitations alter role drop default",
    },
    "a dropped constraint": {
      plant: "alter table app.bots drop constraint bots_name_check",
      object: "constraint bots_name_check on app.bots",
      cure: null,
    },
    "an added index": {
      plant: "create index quick on app.runs (state)",
      object: "index app.quick",
      cure: "drop index app.quick",
    },
    "an added trigger": {
      plant: `create trigger spy after insert on app.messages for each row execute function triggers.tg_messages__add_run_event()`,
      object: "trigger spy on app.messages",
      cure: "drop trigger spy on app.messages",
    },
    "a view's query": {
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
    "an added privilege on a function": {
      plant: "grant execute on function jobs.queue_mail to worker",
      object: "function jobs.queue_mail(uuid,uuid)",
      cure: "revoke execute on function jobs.queue_mail from worker",
    },
    "a function of the job queue": {
      plant: `create or replace function graphile_worker.force_unlock_workers(worker_ids text[]) returns void
        language sql as 'select from app.memories'`,
      object: "function graphile_worker.force_unlock_workers(text[])",
      cure: null,
    },
    "the view of the job queue": {
      plant: `do $$ begin
          execute 'create or replace view graphile_worker.jobs as ' || rtrim(pg_get_viewdef('graphile_worker.jobs'::regclass), ';') || ' limit 1';
        end $$`,
      object: "relation graphile_worker.jobs",
      cure: null,
    },
    "an overload of a function of the job queue": {
      plant: "create function graphile_worker.add_job(text, json) returns void language sql as 'select'",
      object: "function graphile_worker.add_job(text,json)",
      cure: "drop function graphile_worker.add_job(text,json)",
    },
    "a trigger on jobs": {
      plant:
        "create trigger spy after insert on graphile_worker._private_jobs for each row execute function triggers.tg_messages__add_run_event()",
      object: "trigger spy on graphile_worker._private_jobs",
      cure: "drop trigger spy on graphile_worker._private_jobs",
    },
    "a rule on jobs": {
      plant: "create rule spy as on insert to graphile_worker._private_jobs do also select 1",
      object: "rule spy on graphile_worker._private_jobs",
      cure: "drop rule spy on graphile_worker._private_jobs",
    },
    "a grant on jobs": {
      plant: "grant insert on graphile_worker._private_jobs to worker",
      object: "relation graphile_worker._private_jobs",
      cure: "revoke insert on graphile_worker._private_jobs from worker",
    },
    "a policy of jobs": {
      plant: "alter policy work_on_all on graphile_worker._private_jobs using (false)",
      object: "policy work_on_all on graphile_worker._private_jobs",
      cure: "alter policy work_on_all on graphile_worker._private_jobs using (true)",
    },
    "an added enum value": {
      plant: "alter type app.key_scope add value 'all'",
      object: "type app.key_scope",
      cure: null,
    },
  },
};
