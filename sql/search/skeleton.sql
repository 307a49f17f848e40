/*
 * The visual form of a kind of memory, so that no look-alike of a restricted kind is accepted: NFKD, ASCII letters for
 * similar characters, case folding, only letters and digits. Capital I, l and 1 are equal, as are O and 0, rn and m, vv
 * and w. (docs/specification/memories.md#restricted-kinds)
 */
create function search.skeleton(name text) returns text
language sql immutable parallel safe
as $$
  select coalesce(nullif(replace(replace(translate(
    search.latin(casefold(
      regexp_replace(
        search.latin(normalize(name, nfkd)) collate "pg_unicode_fast",
        '[^[:alnum:]]|[\u0300-\u036f\u115f\u1160\u17b4\u17b5\u3164\uffa0]', '', 'g'
      )
    )),
    'i10', 'llo'
  ), 'rn', 'm'), 'vv', 'w'), ''), names.spelled(name)) -- a kind of symbols only keeps them
$$;
comment on function search.skeleton is 'The visual form of a kind: kinds with the same skeleton count as the same.';
grant execute on function search.skeleton to searcher, tenant;
