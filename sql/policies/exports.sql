/*
 * Exports. Owners see the exports of their organisation. The owner who began an export continues it. (docs/specification/exports.md)
 */
create policy select_by_owner on app.exports
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.role()) = 'owner');
comment on policy select_by_owner on app.exports is
  'The exports of the caller''s organisation. Owners.';

create policy insert_as_owner on app.exports
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and (select caller.role()) = 'owner'
    and person_id = (select caller.private_person_id())
  );
comment on policy insert_as_owner on app.exports is
  'An export in the caller''s name. Owners, scope admin.';

create policy update_own on app.exports
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and (select caller.role()) = 'owner'
    and person_id = (select caller.private_person_id())
  );
comment on policy update_own on app.exports is
  'The exports that the caller began. Owners, scope admin.';

grant select on app.exports to tenant;
grant insert (organisation_id, person_id, tables_hash) on app.exports to tenant;
grant update (expires_at, finished_at, manifest, manifest_hash) on app.exports to tenant;
-- Not granted: delete, which is left to maintenance.

create policy select_by_owner on app.export_parts
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.role()) = 'owner');
comment on policy select_by_owner on app.export_parts is
  'The parts of the organisation''s exports, which have no content: for their number. Owners.';

create policy all_of_own_export on app.export_parts
  for all to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and (select caller.role()) = 'owner'
    and exists (
      select from app.exports export
      where export.organisation_id = export_parts.organisation_id and export.id = export_parts.export_id
        and export.person_id = (select caller.private_person_id())
    )
  );
comment on policy all_of_own_export on app.export_parts is
  'The parts of exports that the caller began. Owners, scope admin.';

grant select, insert, delete on app.export_parts to tenant;
grant update (next_position, counts, lines, hash, chain) on app.export_parts to tenant;
