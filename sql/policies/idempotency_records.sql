/*
 * Idempotency records. A key finds the answers it was given, by a digest that only whoever holds the key and the
 * Idempotency-Key can make; a platform key's lie under the nil id. (Part 4, "Common conventions".)
 */
create policy select_own_key on app.idempotency_records
  for select to tenant
  using (
    organisation_id = (select coalesce(caller.organisation_id(), '00000000-0000-0000-0000-000000000000'))
    and key_id = (select coalesce(caller.key_id(), caller.platform_key_id()))
  );
comment on policy select_own_key on app.idempotency_records is
  'The answers given to the key that asks.';

create policy insert_own_key on app.idempotency_records
  for insert to tenant
  with check (
    organisation_id = coalesce(caller.organisation_id(), '00000000-0000-0000-0000-000000000000')
    and key_id = coalesce(caller.key_id(), caller.platform_key_id())
  );
comment on policy insert_own_key on app.idempotency_records is
  'An answer given to the key that asks.';

create policy update_own_key on app.idempotency_records
  for update to tenant
  using (
    organisation_id = (select coalesce(caller.organisation_id(), '00000000-0000-0000-0000-000000000000'))
    and key_id = (select coalesce(caller.key_id(), caller.platform_key_id()))
  );
comment on policy update_own_key on app.idempotency_records is
  'The answers given to the key that asks.';

grant select, insert, update on app.idempotency_records to tenant;
-- No delete: forgetting is the work of retention.
