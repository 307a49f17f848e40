/*
 * Hides rows of organisations that are arriving or departed. The state of a move decides, so a move locks no table.
 * Functions of owner find no such organisation, and authenticator no credential of one: it becomes the organisation of no
 * request. So tenant and searcher need no policy, which would change the indexes that their queries use.
 * For select: PostgreSQL also applies it to updates and deletions that read a column, and to the look-ups of foreign keys.
 * The audit log of an organisation that left stays visible, since the checkpoint job verifies it.
 * (docs/decisions/0070-moves.md)
 */
do $$
declare
  moved record;
begin
  for moved in select quoted, key, is_kept from service.moved_tables loop
    execute format(
      'create policy hide_absent on app.%1$s as restrictive for select to authenticator, owner
       using (%2$s <> all ((select caller.hidden_organisations(%3$L))::uuid[]));
       comment on policy hide_absent on app.%1$s is ''Rows of organisations that are in this cluster.''',
      moved.quoted, moved.key, moved.is_kept
    );
  end loop;
end
$$;
