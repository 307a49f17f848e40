/*
 * Idempotency records. A key reads its own idempotent responses, by a digest of the key and the Idempotency-Key. Responses
 * of a platform key have the nil id as organisation. (docs/specification/conventions.md#idempotency)
 */
create policy select_own on app.idempotency_records
  for select to tenant
  using (
    organisation_id = (select coalesce(caller.organisation_id(), '00000000-0000-0000-0000-000000000000'))
    and key_id = (select caller.caller_id())
  );
comment on policy select_own on app.idempotency_records is
  'The responses to requests of the caller''s credential.';

create policy insert_own on app.idempotency_records
  for insert to tenant
  with check (
    organisation_id = coalesce(caller.organisation_id(), '00000000-0000-0000-0000-000000000000')
    and key_id = caller.caller_id()
  );
comment on policy insert_own on app.idempotency_records is
  'A response to a request of the caller''s credential.';

create policy update_own on app.idempotency_records
  for update to tenant
  using (
    organisation_id = (select coalesce(caller.organisation_id(), '00000000-0000-0000-0000-000000000000'))
    and key_id = (select caller.caller_id())
  );
comment on policy update_own on app.idempotency_records is
  'The responses to requests of the caller''s credential.';

grant select, insert, update on app.idempotency_records to tenant;
-- Not granted: delete, which is left to retention.
