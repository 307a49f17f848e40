create function api_private.lock_organisation() returns void
language sql
security definer set search_path = ''
as $$
  select from app.organisations organisation where organisation.id = caller.organisation_id() for no key update
$$;
comment on function api_private.lock_organisation is 'Instead of row-level security: organisation.id = caller.organisation_id().';
grant execute on function api_private.lock_organisation to tenant;

create function api_private.refuse_bot_of_another(owner uuid) returns void
language plpgsql stable
as $$
begin
  if caller.role() < 'admin' and owner is distinct from caller.person_id() then
    perform errors.refuse('forbidden', reason => 'not_own_bot');
  end if;
end
$$;
comment on function api_private.refuse_bot_of_another is 'Refuses a member who changes or deletes a bot of another person.';
grant execute on function api_private.refuse_bot_of_another to tenant;

create function api_private.refuse_private_bot(input jsonb) returns void
language plpgsql stable
as $$
begin
  if input ->> 'visibility' = 'personal' and caller.is_for_another() then
    perform errors.refuse('forbidden', reason => 'outside_portal_session');
  end if;
end
$$;
comment on function api_private.refuse_private_bot is 'Refuses a personal bot in a portal session that another person opened, which sees no personal bot.';
grant execute on function api_private.refuse_private_bot to tenant;
