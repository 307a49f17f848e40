/*
 * Erasure of idempotent responses that showed erased data. (docs/decisions/0022-names-and-erasure.md)
 */
create function erasure.without(results jsonb, ids uuid[]) returns jsonb
language sql immutable
as $$
  select jsonb_agg(
    case when exists (
      select from regexp_matches(result ->> 'body', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') id
      where (id[1]::uuid in (select unnest(ids))) is true -- a hash lookup; = any (array) would scan the array
    ) then '{"refusal": "not_found"}' else result end
    order by place
  )
  from jsonb_array_elements(results) with ordinality each (result, place)
$$;
comment on function erasure.without is 'The results of a batch, with not_found in place of each result that contains one of these ids.';

-- The replay of a response that showed erased data returns not_found, and has no effect again. In a batch, only results
-- that showed it are replaced. Rewriting takes about a second for 16 MB; beyond that, a whole batch is replaced.
create function erasure.erase_responses(organisation uuid, ids uuid[]) returns void
language plpgsql
as $$
declare
  max_rewritten constant integer := 16 * 1024 * 1024;
  rewritten integer := 0;
  showing record;
  body text;
  rest text;
begin
  for showing in -- not joined with the responses: a generic plan might read all of them
    select distinct response.key_id, response.digest, response.day_partition
    from app.response_rows response
    where response.organisation_id = organisation and response.row_id = any (ids)
  loop
    select record.body into body
    from app.idempotency_records record
    where record.organisation_id = organisation and record.key_id = showing.key_id and record.digest = showing.digest
      and record.day_partition = showing.day_partition;
    continue when body is null;
    rewritten := rewritten + octet_length(body);
    rest := case when left(body, 1) = '[' and rewritten <= max_rewritten then erasure.without(body::jsonb, ids)::text end;
    update app.idempotency_records record
    set
      status = case when rest is not null then record.status end,
      refusal = case when rest is null then 'not_found' end,
      sealed = case when rest is not null then record.sealed end,
      body = rest
    where record.organisation_id = organisation and record.key_id = showing.key_id and record.digest = showing.digest
      and record.day_partition = showing.day_partition;
  end loop;
  delete from app.response_rows response where response.organisation_id = organisation and response.row_id = any (ids);
end
$$;
