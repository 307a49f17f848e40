--! Previous: sha1:4e2aae6f7ac5db9d5ed65098c4da87ca3425c30a
--! Hash: sha1:eefe691a00c69a3066b537c584efd8d53bbcd6c0
--! Message: external-ids-once

alter table app.memories validate constraint memories_external_id_check;

-- Per bot: a caller who does not see the bot cannot learn from a conflict that its memory exists.
create unique index memories_by_external_id on app.memories (organisation_id, external_id, bot_id) nulls not distinct
  where external_id is not null;
