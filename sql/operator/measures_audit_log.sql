/* Metrics of the checkpoints of the audit log. */
create function operator.measure_audit_log() returns json
language sql stable
as $$
  select json_build_object(
    'checkpointAge', greatest(0, extract(epoch from now() - coalesce(
      tree.checked_at, (select min(build.built_at) from app.definition_builds build)
    ))),
    'faults', (select count(*) from audit.log_faults fault where fault.is_open),
    'treeSize', coalesce((select checkpoint.tree_size from app.audit_checkpoints checkpoint order by checkpoint.number desc limit 1), 0)
  )
  from app.audit_tree tree
$$;
comment on function operator.measure_audit_log is 'Seconds since the checkpoint job last found no fault, open faults, and the leaves of the tree.';
