create function rows.in_camel_case(name text) returns text
language sql immutable parallel safe
as $$ select lower(left(name, 1) collate "C") || substr(replace(initcap(replace(name, '_', ' ') collate "C"), ' ', ''), 2) $$;
comment on function rows.in_camel_case is 'The name of a column in the API''s spelling. For generated definitions.';

/*
 * The fields of a memory, in the order of its JSON, and whether creation and PATCH set them and history shows them. The
 * grants of columns, the JSON, and the statements of creation and PATCH are generated from it, so that no request reads
 * the catalogue. A function, since a rebuild locks the views of this schema with the tables that they read.
 */
create function rows.memory_fields() returns table (
  place integer, name text, at_creation boolean, by_patch boolean, in_history boolean, label text, type regtype
)
language sql stable
as $$
  select field.*, rows.in_camel_case(field.name), attribute.atttypid
  from (
    values
      (1, 'id', false, false, false),
      (2, 'scope', true, false, false),
      (3, 'bot_id', true, false, false),
      (4, 'kind', true, false, false),
      (5, 'subject', true, false, false),
      (6, 'subject_kind', true, false, false),
      (7, 'value', true, true, true),
      (8, 'confidence', true, true, true),
      (9, 'valid_from', true, true, true),
      (10, 'valid_to', true, true, true),
      (11, 'provenance', false, false, true),
      (12, 'created_at', false, false, false),
      (13, 'lawful_basis', true, true, true),
      (14, 'supersedes', true, false, false),
      (15, 'superseded_by', false, false, true),
      (16, 'external_id', false, false, false)
  ) field (place, name, at_creation, by_patch, in_history)
  join pg_catalog.pg_attribute attribute
    on attribute.attrelid = 'app.memories'::regclass and attribute.attname = field.name
$$;
comment on function rows.memory_fields is 'The columns of a memory''s JSON, with their JSON names and types. For generated definitions.';
