/*
 * What an export of an organisation holds: the list of what a move copies (service.moved_tables) without the exceptions below, and
 * the people who are members. A new table or column is exported without further code, and a test fails if owners may not read it.
 * Policies decide about rows. (docs/specification/exports.md)
 */
create view service.unexported (table_name, column_name, reason) as
select tables.name, columns.name, listed.reason
from (
  values
    -- Without columns: the whole table.
    ('api_keys', 'digest', 'Digests of secrets.'),
    ('audit_streams', 'secret_sealed', 'Sealed secrets.'),
    ('audit_streams', 'checkpoint part_id part_first_sequence part_entry_id part_sequence part_checkpoint attempts lease_id lease_until', 'State of the worker.'),
    ('hooks', 'secret_sealed secret_digest', 'Digests of secrets, and sealed secrets.'),
    ('webhook_endpoints', 'secret_sealed', 'Sealed secrets.'),
    ('approvals invitations', 'token_digest', 'Digests of the tokens in mailed links.'),
    ('portal_sessions', 'link_digest link_expires_at session_digest', 'Digests of links and cookies, and the end of links.'),
    ('portal_sessions', 'operator operator_token_id', 'Operators of the service. The audit log has what they did.'),
    ('run_metadata', 'value_digest', 'Derived from the value.'),
    ('invitations', 'email_key', 'Derived from the address.'),
    ('memories', 'search_vector subject_key contested', 'Derived from the text, for search and comparisons.'),
    ('memory_history', 'subject_key', 'Derived from the text.'),
    ('runs', 'concurrency_key_digest', 'Derived from the key.'),
    ('api_keys', 'suspended_at', 'A copy of the column of the organisation.'),
    ('api_keys', 'announced_expiry', 'State of the worker.'),
    ('bots', 'has_memories_left has_runs_left', 'State of the worker.'),
    ('deliveries runs', 'lease_id lease_until', 'State of the worker and of executors.'),
    ('audit_chain_heads audit_truncations', '', 'Ends of the hash chain of audit_log, whose rows have the hashes.'),
    ('authorization_codes', '', 'Credentials that live for a minute.'),
    ('erasures', '', 'Receipts. The entries of audit_log have their values.'),
    ('export_parts exports', '', 'State of exports. The manifest has its result.'),
    ('hook_receipts', '', 'Digests of posts to hooks, for a day.'),
    ('idempotency_records response_bytes response_rows', '', 'Responses that are stored for a day, for the credential of the request alone.'),
    ('mails', '', 'The queue of mails, which have links for their recipients alone.'),
    ('operator_actions', '', 'The log of the operators. The entries of audit_log have what they changed.'),
    ('organisation_limits', '', 'Set by operators. GET /me has the limits, and audit_log each change.'),
    ('request_minutes', '', 'Counts of requests, for the operators'' console.'),
    ('step_results', '', 'Results for executors that take a run over. No operation of the API returns them.'),
    ('third_party_restriction_changes', '', 'The log of the operators'' changes of third_party_restrictions.')
) listed (tables, columns, reason),
  unnest(string_to_array(listed.tables, ' ')) tables (name),
  unnest(case listed.columns when '' then array[''] else string_to_array(listed.columns, ' ') end) columns (name);
comment on view service.unexported is 'Tables, or columns of tables, that a move copies and an export leaves out, each with the reason. A column that is an empty text is the whole table.';

create view service.exported_columns as
select tables.name as table_name, tables.key, attribute.attname::text as name,
  attribute.atttypid::regtype as type, place.number as place_in_key, attribute.attnum as place
from (
  select name, 'app.' || quoted as qualified, key from service.moved_tables where is_carried
  union all
  select 'people', 'app.people', null
) tables
join pg_catalog.pg_attribute attribute
  on attribute.attrelid = tables.qualified::regclass and attribute.attnum > 0 and not attribute.attisdropped
join pg_catalog.pg_constraint primary_key on primary_key.conrelid = attribute.attrelid and primary_key.contype = 'p'
left join lateral unnest(primary_key.conkey) with ordinality place (attnum, number) on place.attnum = attribute.attnum
where not exists (
  select from service.unexported left_out
  where left_out.table_name = tables.name and left_out.column_name in ('', attribute.attname)
);
comment on view service.exported_columns is 'The columns of an export. key: the column with the organisation. place_in_key: of the primary key.';
