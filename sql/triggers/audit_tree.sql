/* The tree and its checkpoints only grow. */
create function triggers.refuse_to_rewrite_audit_tree() returns trigger
language plpgsql
as $$
begin
  raise restrict_violation using message = 'the tree of the audit log and its checkpoints only grow';
end
$$;
comment on function triggers.refuse_to_rewrite_audit_tree is 'Refuses every change of the tree and its checkpoints.';

create trigger _100_refuse_to_rewrite before update or delete on app.audit_tiles
  for each row execute function triggers.refuse_to_rewrite_audit_tree();
create trigger _100_refuse_to_truncate before truncate on app.audit_tiles
  for each statement execute function triggers.refuse_to_rewrite_audit_tree();
create trigger _100_refuse_to_rewrite before update or delete on app.audit_leaves
  for each row execute function triggers.refuse_to_rewrite_audit_tree();
create trigger _100_refuse_to_truncate before truncate on app.audit_leaves
  for each statement execute function triggers.refuse_to_rewrite_audit_tree();
create trigger _100_refuse_to_rewrite before update or delete on app.audit_checkpoints
  for each row execute function triggers.refuse_to_rewrite_audit_tree();
create trigger _100_refuse_to_truncate before truncate on app.audit_checkpoints
  for each statement execute function triggers.refuse_to_rewrite_audit_tree();
create trigger _100_refuse_to_rewrite before update or delete on app.audit_cosignatures
  for each row execute function triggers.refuse_to_rewrite_audit_tree();
create trigger _100_refuse_to_truncate before truncate on app.audit_cosignatures
  for each statement execute function triggers.refuse_to_rewrite_audit_tree();
