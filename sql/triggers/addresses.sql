/*
 * Refuses invalid e-mail addresses when they are written.
 * (docs/specification/conventions.md#e-mail-addresses)
 */
create function triggers.refuse_invalid_address() returns trigger
language plpgsql
as $$
begin
  if names.is_email(new.email) is not true then
    perform errors.refuse('invalid_request', '[{"path": "email", "message": "must be an e-mail address"}]');
  end if;
  return new;
end
$$;

create trigger _050_refuse_invalid_address before insert on app.people
  for each row execute function triggers.refuse_invalid_address();
create trigger _050_refuse_invalid_address_later before update on app.people
  for each row when (old.email is distinct from new.email) execute function triggers.refuse_invalid_address();
create trigger _050_refuse_invalid_address before insert on app.invitations
  for each row execute function triggers.refuse_invalid_address();
create trigger _050_refuse_invalid_address_later before update on app.invitations
  for each row when (old.email is distinct from new.email) execute function triggers.refuse_invalid_address();
