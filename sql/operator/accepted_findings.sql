/* Findings of the audit that a named person accepts, on the command line (sql/audit/accepted.sql). */
create function operator.accept_finding(finding text, rule text, object text, what text, accepted_by text, reason text) returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into app.accepted_findings (finding, rule, object, what, accepted_by, reason)
  values (accept_finding.finding, accept_finding.rule, accept_finding.object, accept_finding.what, accept_finding.accepted_by, accept_finding.reason);
  perform operator.note_command(
    'accept_finding', null, jsonb_build_object('finding', accept_finding.finding, 'object', accept_finding.object, 'accepted_by', accept_finding.accepted_by), reason
  );
end
$$;
comment on function operator.accept_finding is 'Instead of row-level security: only cli may execute it.';
grant execute on function operator.accept_finding to cli;

create function operator.revoke_finding(wanted text) returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  revoked app.accepted_findings;
begin
  update app.accepted_findings accepted
  set revoked_at = now()
  where accepted.finding = wanted and accepted.revoked_at is null
  returning * into revoked;
  if found then
    perform operator.note_command('revoke_finding', revoked.id, jsonb_build_object('finding', revoked.finding, 'object', revoked.object));
  end if;
  return found;
end
$$;
comment on function operator.revoke_finding is 'Instead of row-level security: only cli may execute it. Returns false if no such finding is accepted.';
grant execute on function operator.revoke_finding to cli;
