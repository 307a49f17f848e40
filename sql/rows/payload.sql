/*
 * The body of a delivery: identifiers and states, no text and no names. Built from stored columns, so that every
 * attempt of a delivery has the same body. (docs/specification/deliveries.md#payload)
 */
create function rows.payload(delivery uuid, event app.events) returns text
language sql stable -- without settings of its own, so that it is inlined into jobs.lease_due
as $$
  select '{"id":"' || delivery
    || '","event":"' || event.kind
    || '","createdAt":"' || rows.time(event.created_at)
    || '","organisationId":"' || event.organisation_id
    || '","data":' || event.data || '}'
$$;
comment on function rows.payload is 'The raw body that is signed and posted.';
grant execute on function rows.payload to tenant;
