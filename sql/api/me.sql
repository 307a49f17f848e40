/*
 * GET /me: the key, the person it is bound to, the organisation, its ceilings and what is used of them.
 * (decisions: section 3.)
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
        select json_build_object(
          'liveKeys', json_build_object('limit', held.live_key_ceiling, 'used', triggers.live_keys(held.id)),
          'liveWebhooks', json_build_object('limit', held.live_endpoint_ceiling, 'used', triggers.live_endpoints(held.id)),
          'runStartsPerHour', json_build_object('limit', held.hourly_run_ceiling, 'used', triggers.run_starts(held.id)),
          'monthlySpendMicroCents', json_build_object(
            'limit', held.monthly_spend_limit_micro_cents, 'used', triggers.spent_this_month(held.id)
          )
        )
        from app.organisations held
      ) as limits
  ) me
$$;
