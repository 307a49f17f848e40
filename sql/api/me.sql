/*
 * GET /me: the key, its person, the organisation, its limits and how much of them is used.
 * (docs/specification/organisation-and-me.md#me)
 */
create function api.get_me(input jsonb) returns text
language sql stable
as $$
  select row_to_json(me)::text
  from (
    select
      (select row_to_json(key) from rows.api_keys key where key.id = caller.key_id()) as key,
      (
        select row_to_json(member)
        from (
          select person.id as "userId", person.email, person.display_name as "displayName", caller.role() as role
          from app.people person
          where person.id = caller.person_id()
        ) member
      ) as person,
      (select row_to_json(organisation) from rows.organisations organisation) as organisation,
      (
        select row_to_json(limits)
        from (
          select
            rows.use(organisation.live_key_limit, triggers.live_keys(organisation.id)) as "liveKeys",
            rows.use(organisation.live_endpoint_limit, triggers.live_endpoints(organisation.id)) as "liveWebhooks",
            rows.use(
              organisation.open_invitation_limit, triggers.open_invitations(organisation.id)
            ) as "openInvitations",
            rows.use(
              coalesce(organisation.hourly_invitation_limit, organisation.seat_limit),
              triggers.invitations_mailed(organisation.id)
            ) as "invitationsPerHour",
            rows.use(
              organisation.daily_address_limit, triggers.invitations_to_one_address(organisation.id)
            ) as "invitationsPerAddressPerDay",
            rows.use(
              organisation.seat_limit,
              triggers.members(organisation.id) + triggers.open_invitations(organisation.id)
            ) as seats,
            rows.use(
              organisation.hourly_run_limit, triggers.run_starts(organisation.id, 'script')
            ) as "runStartsPerHour",
            rows.use(
              organisation.hourly_routine_limit, triggers.run_starts(organisation.id, 'routine')
            ) as "routineStartsPerHour",
            rows.use(
              organisation.hourly_webhook_limit, triggers.run_starts(organisation.id, 'webhook')
            ) as "webhookStartsPerHour",
            rows.use(organisation.routine_limit, triggers.live_routines(organisation.id)) as "liveRoutines",
            rows.use(organisation.hook_limit, triggers.live_hooks(organisation.id)) as "liveHooks",
            rows.use(
              organisation.monthly_spend_limit_micro_cents, triggers.spent_this_month(organisation.id)
            ) as "monthlySpendMicroCents"
          from app.organisations organisation
        ) limits
      ) as limits
  ) me
$$;
grant execute on function api.get_me to tenant;
