--! Previous: sha1:704d0f35a76877a20861ac6ffe3c5ba73078b7f9
--! Hash: sha1:f3354987107163518a76275028d06f0fb3902e08
--! Message: comparison-of-names

-- Names compare by case folding, independent of the locale of the database; all hyphens, dashes, apostrophes and spaces
-- are alike. Rewrites the tables with stored keys. The same expressions are in sql/names/rules.sql.
alter table app.memories alter column subject_key set expression as (
  btrim(regexp_replace(translate(
    normalize(casefold(normalize(regexp_replace(
      translate(subject, U&'\00b4\0384\1fbd\1fbf\1ffe\00b4\0060', ''''''''''''''''),
      '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]', '', 'g'
    ), nfkc) collate "pg_unicode_fast"), nfkc),
    U&'\2018\2019\201a\201b\02b9\02bb\02bc\02bd\02c8\055a\05f3\07f4\07f5\2032\2035\0060\a78b\a78c', ''''''''''''''''''''''''''''''''''''''
  ), '[\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000_\u002d\u02d7\u058a\u05be\u1400\u1806\u2010-\u2015\u2043\u2212\u2796\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\U00010d6e\U00010ead]+', '_', 'g'), '_')
);

update app.memory_history change
set subject_key = compared.key
from (
  select history.organisation_id, history.id,
    btrim(regexp_replace(translate(
      normalize(casefold(normalize(regexp_replace(
        translate(history.former ->> 'subject', U&'\00b4\0384\1fbd\1fbf\1ffe\00b4\0060', ''''''''''''''''),
        '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]', '', 'g'
      ), nfkc) collate "pg_unicode_fast"), nfkc),
      U&'\2018\2019\201a\201b\02b9\02bb\02bc\02bd\02c8\055a\05f3\07f4\07f5\2032\2035\0060\a78b\a78c', ''''''''''''''''''''''''''''''''''''''
    ), '[\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000_\u002d\u02d7\u058a\u05be\u1400\u1806\u2010-\u2015\u2043\u2212\u2796\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\U00010d6e\U00010ead]+', '_', 'g'), '_') as key
  from app.memory_history history
) compared
where compared.organisation_id = change.organisation_id and compared.id = change.id
  and compared.key is distinct from change.subject_key;

alter table app.mails alter column recipient_key set expression as (lower(recipient collate "pg_c_utf8"));
alter table app.invitations alter column email_key set expression as (lower(email collate "pg_c_utf8"));

drop index app.people_by_address, app.people_by_start_of_address, app.invitations_unanswered,
  app.people_by_start_of_name, app.people_by_start_of_last_name;
-- The default collation, as the result of names.address has it: else no query would use the index.
create unique index people_by_address on app.people ((lower(email collate "pg_c_utf8")) collate "default");
create index people_by_start_of_address on app.people ((lower(email collate "pg_c_utf8")) collate "default" text_pattern_ops);
create index invitations_unanswered on app.invitations (organisation_id, email_key)
  where accepted_at is null and revoked_at is null;
create index people_by_start_of_name on app.people ((
  btrim(regexp_replace(translate(
    normalize(casefold(normalize(regexp_replace(
      translate(display_name, U&'\00b4\0384\1fbd\1fbf\1ffe\00b4\0060', ''''''''''''''''),
      '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]', '', 'g'
    ), nfkc) collate "pg_unicode_fast"), nfkc),
    U&'\2018\2019\201a\201b\02b9\02bb\02bc\02bd\02c8\055a\05f3\07f4\07f5\2032\2035\0060\a78b\a78c', ''''''''''''''''''''''''''''''''''''''
  ), '[\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000_\u002d\u02d7\u058a\u05be\u1400\u1806\u2010-\u2015\u2043\u2212\u2796\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\U00010d6e\U00010ead]+', '_', 'g'), '_')
) collate "default" text_pattern_ops) where display_name is not null;
create index people_by_start_of_last_name on app.people ((
  btrim(regexp_replace(translate(
    normalize(casefold(normalize(regexp_replace(
      translate(regexp_replace(display_name collate "pg_unicode_fast", '^.*\s', ''), U&'\00b4\0384\1fbd\1fbf\1ffe\00b4\0060', ''''''''''''''''),
      '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]', '', 'g'
    ), nfkc) collate "pg_unicode_fast"), nfkc),
    U&'\2018\2019\201a\201b\02b9\02bb\02bc\02bd\02c8\055a\05f3\07f4\07f5\2032\2035\0060\a78b\a78c', ''''''''''''''''''''''''''''''''''''''
  ), '[\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000_\u002d\u02d7\u058a\u05be\u1400\u1806\u2010-\u2015\u2043\u2212\u2796\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\U00010d6e\U00010ead]+', '_', 'g'), '_')
) text_pattern_ops) where display_name is not null;
