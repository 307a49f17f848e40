/*
 * Who reads the index of words: searcher, as whom search.claims runs. It sees the claims of all organisations without
 * what they say; the function looks at the organisation of the request alone. (sql/search/claims.sql.)
 */
grant usage on schema app to searcher;

-- A policy with a condition would keep the index from being used: a word may be compared only after it.
create policy search_words on app.memories
  for select to searcher
  using (true);
comment on policy search_words on app.memories is
  'The words of every claim, without subject or value: search.claims looks at the organisation of the request alone.';

grant select (
  organisation_id, id, scope, bot_id, member_id, kind, subject_key, subject_kind, confidence, valid_to, provenance, search
) on app.memories to searcher;
-- Neither subject nor value.
