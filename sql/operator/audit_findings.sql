/* The number of audit findings, for /metrics. (docs/observing.md) */
create function operator.count_audit_findings() returns json
language sql stable
security definer
set search_path = ''
set enable_seqscan = on
set enable_sort = on
as $$
  select json_build_object(
    'critical', count(*) filter (where finding.severity = 'critical'),
    'serious', count(*) filter (where finding.severity = 'serious'),
    'notice', count(*) filter (where finding.severity = 'notice')
  )
  from audit.findings finding
$$;
comment on function operator.count_audit_findings is 'Instead of row-level security: only operator may execute it. Counts of audit.findings by severity, without accepted ones; no object or row.';
grant execute on function operator.count_audit_findings to operator;
