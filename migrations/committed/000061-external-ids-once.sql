--! Previous: sha1:44507e1950c4a1621ca6f62ee7e3da6d92ec25d2
--! Hash: sha1:b644c601cc0043f6e156e68c43cb4323860fb226
--! Message: external-ids-once

alter table app.memories validate constraint memories_external_id_check;

-- Per bot: a caller who does not see the bot cannot learn from a conflict that its memory exists.
create unique index memories_by_external_id on app.memories (organisation_id, external_id, bot_id) nulls not distinct
  where external_id is not null;
