/*
 * Policies and grants of searcher, as which search.memories, search.deliveries and search.pending_deliveries run. It reads search vectors of all
 * organisations, without subject and value; the functions read the organisation of the request only. (sql/search/memories.sql)
 */
grant usage on schema app to searcher;

-- A condition here would prevent the use of the index, because PostgreSQL would evaluate it before the search operator.
create policy search_words on app.memories
  for select to searcher
  using (true);
comment on policy search_words on app.memories is
  'The search vectors of all memories, without subject and value. search.memories reads the organisation of the request only.';

grant select (
  organisation_id, id, scope, bot_id, member_id, kind, subject_key, subject_kind, confidence, valid_from, valid_to, provenance, search_vector
) on app.memories to searcher;
-- Not granted: subject and value.

create policy search_events on app.deliveries
  for select to searcher
  using (true);
comment on policy search_events on app.deliveries is
  'Endpoint, event and state of all deliveries. search.deliveries and search.pending_deliveries read the organisation of the request only.';

grant select (organisation_id, id, endpoint_id, event, state) on app.deliveries to searcher;
-- Not granted: attempts and outcomes.
