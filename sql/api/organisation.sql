/*
 * The caller's own organisation. (docs/specification/organisation-and-me.md#organisation)
 */
create function api.get_own_organisation(input jsonb) returns text
language sql stable
as $$
  with limits as (
    select *
    from limits.of_organisation(caller.organisation_id(), '{seats,openInvitations,monthlySpendMicroCents}')
  )
  select row_to_json(answer)::text
  from (
    select
      own.*,
      organisation.language,
      rows.time(organisation.deletion_at) as "deletionAt",
      (
        select row_to_json(seats)
        from (
          select
            (select maximum from limits where name = 'seats') as "limit", organisation.seats_bought as bought,
            (
              select count(*) from app.memberships member where member.organisation_id = organisation.id
            ) as members,
            (select used from limits where name = 'openInvitations') as "openInvitations"
        ) seats
      ) as seats,
      (
        select row_to_json(spent)
        from (
          select
            to_char(now() at time zone 'UTC', 'YYYY-MM') as month,
            limits.used as "spendMicroCents", limits.maximum as "limitMicroCents"
          from limits
          where limits.name = 'monthlySpendMicroCents'
        ) spent
      ) as usage
    from rows.organisations own
    join app.organisations organisation on organisation.id = own.id
  ) answer
$$;
grant execute on function api.get_own_organisation to tenant;

create function api.rename_organisation(input jsonb) returns text
language plpgsql
as $$
begin
  update app.organisations
  set
    name = coalesce(input ->> 'name', name),
    language = coalesce((input ->> 'language')::app.language, language)
  where id = caller.organisation_id();
  perform errors.require_row(found, 'forbidden');
  return api.get_own_organisation(input);
end
$$;
grant execute on function api.rename_organisation to tenant;
