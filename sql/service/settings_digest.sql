/*
 * The row of app.service_settings is older than its triggers, and its secret has no default to compare with. So a migration records
 * the digest of the values that entries do not show. (docs/decisions/0033-audit-log.md)
 */
create function service.record_settings_digest() returns void
language plpgsql
as $$
begin
  if exists (
    select from app.audit_log entry
    where entry.organisation_id = '00000000-0000-0000-0000-000000000000' and entry.resource = 'service' and (entry.after::jsonb) ? 'contentDigest'
  ) then
    return;
  end if;
  execute (
    select format(
      $query$
        select triggers.log_change(
          '00000000-0000-0000-0000-000000000000', 'service', null, 'updated', '{contentDigest}', null, json_build_object('contentDigest', %s)
        )
        from app.service_settings settings
      $query$, replace(logged.content, '%', 'settings')
    )
    from audit.logged_tables logged
    where logged.name = 'service_settings'
  );
end
$$;
comment on function service.record_settings_digest is 'Records the digest of the settings that entries do not show, unless an entry has it.';
