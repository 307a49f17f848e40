/*
 * An operator accepts a fault whose cause is known, such as an entry that was lost with a disk. The checkpoint job then
 * signs again. The acceptance is an entry of the same chain. (docs/auditing.md)
 */
create function operator.accept_audit_fault(organisation uuid, fault text, sequence bigint) returns boolean
language plpgsql
security definer set search_path = ''
as $$
declare
  why constant text := nullif(btrim(current_setting('caller.command_reason', true)), '');
begin
  perform operator.require_attribution();
  update app.audit_faults found
  set accepted_at = now(), accepted_by = operator.command_user(), accepted_reason = why
  where found.organisation_id = organisation and found.fault = accept_audit_fault.fault
    and found.sequence = accept_audit_fault.sequence and found.accepted_at is null;
  if not found then
    return false;
  end if;
  insert into app.audit_pending_entries (organisation_id, actor, operator, reason, action, resource, changed, after)
  values (
    organisation, 'operator', operator.command_user(), why, 'updated', 'audit_log', '{accepted}',
    json_build_object('fault', accept_audit_fault.fault, 'sequence', accept_audit_fault.sequence)
  );
  perform operator.note_command(
    'accept_audit_fault', null,
    jsonb_build_object('organisation', organisation, 'fault', accept_audit_fault.fault, 'sequence', accept_audit_fault.sequence),
    organisation => (select present.id from app.organisations present where present.id = accept_audit_fault.organisation)
  );
  return true;
end
$$;
comment on function operator.accept_audit_fault is 'Instead of row-level security: only cli may execute it. Accepts a fault, of any organisation, and records it in the chain and in the operators'' log. Returns false if there is no such fault.';
grant execute on function operator.accept_audit_fault to cli;
