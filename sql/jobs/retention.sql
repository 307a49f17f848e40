/*
 * Forgetting. An Idempotency-Key is forgotten after 24 hours; recall looks no further back, so it does not matter when
 * the rows go, only that they do. (Part 4, "Common conventions".) What a hook has taken is forgotten as late; its signature
 * was good for five minutes.
 */
create function jobs.forget() returns integer
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it removes what has expired, whosever it is, and shows none of it.
declare
  forgotten integer;
begin
  with expired as (
    select record.organisation_id, record.key_id, record.digest
    from app.idempotency_records record
    where record.created_at < now() - interval '24 hours'
    order by record.created_at
    limit 10000
  )
  delete from app.idempotency_records record
  using expired
  where record.organisation_id = expired.organisation_id
    and record.key_id = expired.key_id
    and record.digest = expired.digest;
  get diagnostics forgotten = row_count;
  delete from app.hook_receipts receipt where receipt.created_at < now() - interval '24 hours';
  return forgotten;
end
$$;
comment on function jobs.forget is 'Instead of row-level security: removes expired records, at most 10,000 a call, and answers how many; and what hooks took more than 24 hours ago.';
