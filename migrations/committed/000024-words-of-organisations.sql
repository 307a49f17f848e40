--! Previous: sha1:3cc881535c5ae4677f2f29ad1b2ae84bd7b0bc04
--! Hash: sha1:ebfcdbd3612562cd4bec90619862a6519b4103f8
--! Message: words-of-organisations

-- A beginning of a word is looked up by reading every claim that holds such a word, and the index led by the organisation read
-- those of all others too: at ten million claims a search took seven times as long as at ten thousand. Here each word is
-- the organisation's own, behind the last, random digits of its id, so nothing of others is read.
-- Built-in functions alone: those of sql/ are made anew with every version, and the index would go with them. The same text
-- is search.keyed, by which it is asked. No word has a space in it, so that " '" is where one begins.
drop index app.memories_by_words;
create index memories_by_words on app.memories using gin ((
  case length(search)
    when 0 then ''
    else '''' || right(organisation_id::text, 8)
      || replace(substr(strip(search)::text, 2), ' ''', ' ''' || right(organisation_id::text, 8))
  end::tsvector
)) with (gin_pending_list_limit = 512);
comment on index app.memories_by_words is 'Each word behind the last digits of its organisation''s id: what others hold is not read. What is written waits unsorted, 512 kB at most, since every search reads that first.';
drop extension btree_gin;
