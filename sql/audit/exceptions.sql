/*
 * What the rules would find, and was looked at and left. Each is bound to what exactly was looked at: `detail` is the
 * definition of the policy, the role of the privilege. Changed, it is a finding again.
 */
create view audit.exceptions (rule, object, detail, reason) as
values
  ('policy_open', 'policy search_words on app.memories', 'for select to searcher using (true)',
    'A condition would keep the index of words from being used. searcher has neither subject nor value, and its one function looks at the organisation of the request alone.'),
  ('policy_open', 'policy authenticate_noting_use on app.api_key_uses', 'for select to authenticator using (true)',
    'When a key was last used, and nothing else; looked up by the key that was found.'),
  ('policy_open', 'policy authenticate_suspending on app.organisations', 'for select to authenticator using (true)',
    'Whether it is suspended, and nothing else; looked up by the hook that was found.'),
  ('policy_open', 'policy authenticate_by_link on app.invitations', 'for select to authenticator using (true)',
    'The id and the digest of the link, which is not compared with what expired: who holds it is told so.'),
  ('policy_open', 'policy authenticate_by_link on app.approvals', 'for select to authenticator using (true)',
    'The id and the digest of the link, which is not compared with what expired: who holds it is told so.'),
  ('policy_open', 'policy select_alive on app.executors', 'for select to tenant using (true)',
    'Executors belong to no organisation; tenant reads their models and that they live.'),
  ('policy_open', 'policy definitions_read on api.operations', 'for all to owner using (true) with check (true)',
    'The operations of the contract, which everybody can read in docs/openapi.json.')
union all
select rule, 'policy ' || policy_name, detail,
  'Of the trail''s own triggers: a transaction of a worker may write rows of several organisations, and what is told of each goes to the trail of the row.'
from (
  values
    ('definitions_append on app.audit_trail', 'for insert to owner with check (true)'),
    ('definitions_begin on app.audit_heads', 'for insert to owner with check (true)'),
    ('definitions_move on app.audit_heads', 'for update to owner using (true)'),
    ('definitions_read on app.audit_heads', 'for select to owner using (true)'),
    ('definitions_pass_on on app.audit_drafts', 'for all to owner using (true)')
) as of_trail (policy_name, detail),
  (values ('policy_open'), ('policy_without_organisation')) as broken (rule)
union all
-- Tables of no organisation: owner's policy is open, since there is nobody's row to hold apart.
select rule, object_kind || table_name, detail, reason
from (
  values
    ('people', 'A person may belong to several organisations; policies show those who share the caller''s.'),
    ('platform_keys', 'They make organisations and do nothing else.'),
    ('executors', 'They carry out the runs of all.'),
    ('delivery_ladder', 'How long each retry waits, for all.'),
    ('service_settings', 'Settings of the service.'),
    ('sweep', 'When the worker last swept.'),
    ('operator_tokens', 'They open the console.'),
    ('operator_sessions', 'Browsers that such a token signed in.'),
    ('definitions', 'What the definitions were built from.'),
    ('model_prices', 'What models cost, for all.')
) as listed (table_name, reason),
  lateral (
    values
      ('table_of_nobody', 'table app.', null),
      ('policy_open', 'policy definitions_within_request on app.', 'for all to owner using (true)')
  ) as excepted (rule, object_kind, detail)
union all
values
  ('table_of_nobody', 'table app.organisations', null, 'Its id is the organisation; its policies compare that.'),
  ('unexpected_executor', 'function jobs.readiness()', 'tenant', 'Whether the service can serve at all: it is asked of nobody, and shows nobody''s rows.'),
  ('unexpected_executor', 'function jobs.count_requests(jsonb)', 'tenant', 'Adds to counts that processes of the API hand over, and shows none.'),
  ('unexpected_executor', 'function jobs.live_pools()', 'operator', 'Which workers live; it tells nothing of any organisation.'),
  ('secret_readable', 'column app.idempotency_records.digest', 'tenant', 'Its policy shows a key the records of its own, and the digest is of an Idempotency-Key.'),
  ('secret_readable', 'column app.idempotency_records.sealed', 'tenant', 'Shown again to the key that was shown it once, and only who holds the key can open it.'),
  ('row_moves', 'column app.idempotency_records.organisation_id', 'tenant', 'Its policy holds what is written to the key''s own.'),
  ('row_moves', 'column app.idempotency_records.digest', 'tenant', 'Its policy holds what is written to the key''s own.');
comment on view audit.exceptions is 'What was looked at and left, with the reason; bound to the exact definition, so that a changed one is found again.';
