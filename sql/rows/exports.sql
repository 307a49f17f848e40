/*
 * Export. The entry of the audit log that has the digest of the manifest is written when the export's transaction ends.
 * (docs/specification/exports.md)
 */
create view rows.exports with (security_invoker = true) as
select
  export.id,
  export.person_id as "personId",
  case when export.finished_at is not null then 'finished' when api_private.has_expired(export) then 'expired' else 'open' end as state,
  (
    select count(*) from app.export_parts part
    where part.organisation_id = export.organisation_id and part.export_id = export.id
  ) as parts,
  rows.time(export.created_at) as "createdAt",
  rows.time(export.expires_at) as "expiresAt",
  rows.time(export.finished_at) as "finishedAt",
  export.manifest,
  export.manifest_hash as "manifestHash",
  (
    select entry.id from app.audit_log entry
    where entry.organisation_id = export.organisation_id and entry.resource_id = export.id and entry.resource = 'export'
      and entry.after ->> 'manifestHash' = export.manifest_hash
  ) as "auditEntryId"
from app.exports export;
grant select on rows.exports to tenant;
