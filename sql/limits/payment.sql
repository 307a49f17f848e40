/*
 * Payment as a condition of starting work. (docs/specification/organisation-and-me.md#payment)
 */
create function limits.require_payment() returns void
language plpgsql stable
as $$
begin
  if not exists (
    select from app.organisations organisation
    where organisation.id = caller.organisation_id()
      and (
        organisation.billing_state = 'active'
        or (organisation.billing_state = 'trial' and organisation.trial_ends_at > now())
      )
  ) then
    perform errors.refuse('payment_required', reason => 'billing_inactive');
  end if;
end
$$;
comment on function limits.require_payment is 'Refuses unless the organisation pays or its trial has not ended.';
grant execute on function limits.require_payment to tenant;
