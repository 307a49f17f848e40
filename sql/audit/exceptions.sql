/*
 * Accepted violations. Each is bound to the exact definition that was examined: `detail` is the definition of the
 * policy or the role of the privilege. After a change it is a finding again.
 */
create view audit.exceptions (rule, object, detail, reason) as
values
  ('policy_open', 'policy search_words on app.memories', 'for select to searcher using (true)',
    'A condition would prevent the use of the search index. searcher cannot read subject or value, and its one function for memories is limited to the organisation of the request.'),
  ('policy_open', 'policy search_events on app.deliveries', 'for select to searcher using (true)',
    'A condition would prevent the use of the index. searcher reads endpoint, event and state of a delivery, and its one function for them is limited to the organisation of the request.'),
  ('policy_open', 'policy authenticate_suspending on app.organisations', 'for select to authenticator using (true)',
    'Whether the organisation is suspended, and nothing else; looked up by the authenticated hook.'),
  ('policy_open', 'policy authenticate_by_link on app.approvals', 'for select to authenticator using (true)',
    'Id and digest of the link. Expiry is not part of the condition, so that the holder of an expired link learns why it fails.'),
  ('policy_open', 'policy select_alive on app.executors', 'for select to tenant using (true)',
    'Executors belong to no organisation; tenant reads their models and heartbeats.'),
  ('policy_open', 'policy definitions_read on api.operations', 'for all to owner using (true) with check (true)',
    'The operations of the contract, which docs/openapi.json publishes.')
union all
select rule, 'policy ' || policy_name, detail,
  'For the triggers of the audit log: one transaction of a worker may write rows of several organisations, each logged for the row''s organisation.'
from (
  values
    ('definitions_append on app.audit_log', 'for insert to owner with check (true)'),
    ('definitions_begin on app.audit_chain_heads', 'for insert to owner with check (true)'),
    ('definitions_move on app.audit_chain_heads', 'for update to owner using (true)'),
    ('definitions_read on app.audit_chain_heads', 'for select to owner using (true)'),
    ('definitions_pass_on on app.audit_pending_entries', 'for all to owner using (true)')
) as of_audit_log (policy_name, detail),
  (values ('policy_open'), ('policy_without_organisation')) as broken (rule)
union all
-- Tables without organisation: owner's policy is open, since there are no tenants to separate.
select rule, object_kind || table_name, detail, reason
from (
  values
    ('people', 'A person may belong to several organisations; policies show members of the caller''s organisation.'),
    ('platform_keys', 'They create organisations and do nothing else.'),
    ('executors', 'They work on runs of all organisations.'),
    ('limits', 'Definitions of limits and their defaults, the same for all.'),
    ('retry_schedule', 'The delays between attempts, the same for all.'),
    ('service_settings', 'Settings of the service.'),
    ('maintenance', 'When a worker last ran maintenance.'),
    ('worker_pools', 'The sessions of workers, which run jobs of all organisations.'),
    ('locks', 'Names of locks, without data.'),
    ('operator_tokens', 'They open the console.'),
    ('operator_sessions', 'Browser sessions opened with such a token.'),
    ('refused_credentials', 'Refused credentials are mostly unknown; no tenant reads them.'),
    ('definition_builds', 'When the definitions were built, and from what.'),
    ('built_catalogues', 'What a new database of this version has.'),
    ('accepted_findings', 'Findings of the audit that a person accepted.'),
    ('model_prices', 'Prices of models, the same for all.'),
    ('signing_keys', 'Keys of the installation that sign deliveries.'),
    ('models', 'Which models executors serve, the same for all.'),
    ('audit_tree', 'The state of the checkpoint job.'),
    ('audit_tiles', 'Hashes of the tree over the entries of all organisations.'),
    ('audit_checkpoints', 'Signed heads of that tree.'),
    ('audit_cosignatures', 'Signatures of witnesses for those heads.')
) as listed (table_name, reason),
  lateral (
    values
      ('table_without_organisation', 'table app.', null),
      ('policy_open', 'policy definitions_within_request on app.', 'for all to owner using (true)')
  ) as excepted (rule, object_kind, detail)
union all
select 'policy_open', 'policy work_on_all on graphile_worker.' || table_name, detail, 'Every worker runs jobs of all organisations; a job carries only ids.'
from (
  values
    ('_private_jobs', 'for all to worker using (true) with check (true)'),
    ('_private_job_queues', 'for all to worker using (true) with check (true)'),
    ('_private_tasks', 'for all to worker using (true) with check (true)'),
    ('_private_known_crontabs', 'for select to worker using (true)')
) as of_queue (table_name, detail)
union all
values
  ('table_without_organisation', 'table app.operator_commands', null, 'Commands of operators that concern no single organisation.'),
  ('table_without_organisation', 'table app.organisations', null, 'Its id is the organisation; its policies compare that.'),
  ('secret_readable', 'column app.idempotency_records.digest', 'tenant', 'Its policy shows a key the records of its own, and the digest is of an Idempotency-Key.'),
  ('secret_readable', 'column app.runs.concurrency_key_digest', 'tenant', 'The digest of the concurrency key, which the same policy shows.'),
  ('secret_readable', 'column app.idempotency_records.sealed', 'tenant', 'Returned again to the key that received it first, and only the holder of the key can open it.'),
  ('origin_updatable', 'column app.idempotency_records.organisation_id', 'tenant', 'Its policy limits new values to the organisation of the key.'),
  ('origin_updatable', 'column app.idempotency_records.digest', 'tenant', 'Its policy limits new values to the organisation of the key.');
comment on view audit.exceptions is 'Accepted violations with their reasons, bound to the exact definition: a changed one is a finding again.';
grant select on audit.exceptions to auditor;
