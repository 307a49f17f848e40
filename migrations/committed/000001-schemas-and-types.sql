--! Previous: -
--! Hash: sha1:162ee159bc6ff13c530ab3f0462d47a5c4c1168a
--! Message: schemas-and-types

-- Schemas, extensions and types. Tables follow, one file per resource. Policies, functions, triggers and grants are
-- defined in sql/ and rebuilt by botstead migrate; nothing of them stands here.
--
-- Every table of a tenant starts its keys with organisation_id. A row can therefore not refer to another organisation,
-- and the tables can be distributed by it. Ids are UUIDv7: their order is the order of creation.

create schema app;
revoke all on schema app from public;
comment on schema app is 'Tables and types. Policies, functions, triggers and grants are defined in sql/ and rebuilt by botstead migrate.';

create schema partitions;
revoke all on schema partitions from public;
comment on schema partitions is 'Partitions of tables in app: weeks, and rings of three days. No role may use this schema; rows are reached through their table in app.';

create schema extensions;
revoke all on schema extensions from public;
create extension pg_trgm schema extensions;
comment on schema extensions is 'Extensions that ship with PostgreSQL. Only owner and searcher may use this schema.';

create type app.organisation_kind as enum ('team', 'personal');
create type app.billing_state as enum ('trial', 'active', 'none');
create type app.member_role as enum ('member', 'admin', 'owner');
create type app.key_scope as enum ('read', 'write', 'admin');
create type app.bot_visibility as enum ('team', 'personal');
create type app.direct_conversation as enum ('members', 'owner');
create type app.message_author as enum ('person', 'bot');
create type app.run_state as enum (
  'queued', 'running', 'waiting_approval', 'blocked', 'paused_limit', 'completed', 'failed', 'cancelled'
);
create type app.run_trigger as enum ('api', 'message', 'routine', 'webhook');
create type app.run_error as enum (
  'budget_steps', 'budget_spend', 'budget_time', 'executor_failed', 'executor_lost', 'refused', 'internal'
);
create type app.memory_scope as enum ('organisation', 'bot', 'member');
create type app.subject_kind as enum ('organisation', 'member', 'third_party');
create type app.provenance as enum ('member', 'run', 'import', 'run-tainted');
create type app.lawful_basis as enum (
  'consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task', 'legitimate_interests'
);
create type app.event_kind as enum ('run.finished', 'approval.needed', 'webhook.test');
create type app.endpoint_state as enum ('active', 'paused', 'disabled');
create type app.disabled_reason as enum ('consecutive_failures', 'gone', 'operator');
create type app.delivery_state as enum ('pending', 'delivered', 'failed');
create type app.attempt_trigger as enum ('scheduled', 'manual');
create type app.attempt_failure as enum ('address', 'dns', 'redirect', 'size', 'timeout', 'transport', 'scheme');
create type app.mail_kind as enum ('welcome', 'invitation', 'endpoint_disabled', 'approval');
create type app.approval_kind as enum ('question', 'memory', 'run');
create type app.approval_state as enum ('pending', 'approved', 'refused', 'expired', 'withdrawn');
create type app.language as enum (
  'simple', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'hungarian', 'italian', 'nepali', 'norwegian', 'portuguese', 'russian', 'spanish', 'swedish', 'turkish'
);
create type app.memory_change as enum ('updated', 'deleted');
create type app.restriction_change as enum ('restricted', 'allowed');
create type app.automation_state as enum ('active', 'paused');
create type app.pause_reason as enum ('creator_not_admin', 'bot_not_visible', 'schedule_ended');
create type app.skip_reason as enum ('payment_required', 'quota_exceeded', 'unavailable');
create type app.operator_scope as enum ('view', 'act');
create type app.audit_actor as enum (
  'key', 'platform_key', 'invitation', 'approval', 'hook', 'executor', 'worker', 'operator', 'system'
);
create type app.audit_action as enum ('created', 'updated', 'deleted');
