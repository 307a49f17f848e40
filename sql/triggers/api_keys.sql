/*
 * Rotation may move the expiry of a key to an earlier time, never to a later one. (docs/specification/keys.md#rotating)
 */
create function triggers.tg_api_keys__refuse_later_expiry() returns trigger
language plpgsql
as $$
begin
  raise exception 'The expiry of a key can only be moved to an earlier time.' using errcode = 'check_violation';
end
$$;
comment on function triggers.tg_api_keys__refuse_later_expiry is 'Refuses to move the expiry of a key to a later time.';

create trigger _100_refuse_later_expiry before update on app.api_keys
  for each row when (new.expires_at > old.expires_at)
  execute function triggers.tg_api_keys__refuse_later_expiry();

-- On platform keys too. The argument is the prefix of the class of keys.
create function triggers.refuse_foreign_prefix() returns trigger
language plpgsql
as $$
begin
  if new.prefix !~ ('^' || tg_argv[0] || '_[0-9A-Za-z]{8}$') then
    perform errors.refuse('invalid_request', '[{"path": "body", "message": "must meet the bounds of the contract"}]');
  end if;
  return new;
end
$$;
comment on function triggers.refuse_foreign_prefix is 'Refuses a key whose visible prefix belongs to another class of keys.';

create trigger _050_refuse_foreign_prefix before insert or update of prefix on app.api_keys
  for each row execute function triggers.refuse_foreign_prefix('bsk');
create trigger _050_refuse_foreign_prefix before insert or update of prefix on app.platform_keys
  for each row execute function triggers.refuse_foreign_prefix('bsp');

-- After limits.enforce_live_keys, whose lock keeps the organisation's suspension as it is.
create function triggers.tg_api_keys__copy_suspension() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  new.suspended_at := (select organisations.suspended_at from app.organisations where organisations.id = new.organisation_id);
  return new;
end
$$;
comment on function triggers.tg_api_keys__copy_suspension is 'Instead of row-level security: organisations.id = new.organisation_id. Suspends a new key of a suspended organisation.';

create trigger _300_copy_suspension before insert on app.api_keys
  for each row execute function triggers.tg_api_keys__copy_suspension();

create function triggers.tg_api_keys__create_use() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  insert into app.api_key_uses (organisation_id, key_id) values (new.organisation_id, new.id);
  return null;
end
$$;
comment on function triggers.tg_api_keys__create_use is 'Instead of row-level security: inserts with new.organisation_id. Creates the row that records the last use of the key.';

create trigger _500_create_use after insert on app.api_keys
  for each row execute function triggers.tg_api_keys__create_use();
