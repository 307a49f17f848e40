/*
 * The body of a delivery: identifiers and states, no words and no names. Built from what is stored, so that every
 * attempt of a delivery carries the same text. (Part 6.)
 */
create function jobs.payload(delivery uuid, event app.events) returns text
language sql stable -- with no setting of its own, so that it is inlined into the claim of a batch
as $$
  select '{"id":"' || delivery
    || '","event":"' || event.kind
    || '","createdAt":"' || rows.time(event.created_at)
    || '","organisationId":"' || event.organisation_id
    || '","data":' || event.data || '}'
$$;
comment on function jobs.payload is 'The raw body that is signed and posted.';
