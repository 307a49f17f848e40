--! Previous: sha1:448246a8db1d8c34f60bdd389a24bb88b397ac3c
--! Hash: sha1:4e2aae6f7ac5db9d5ed65098c4da87ca3425c30a
--! Message: external-ids

-- No row is read or rewritten. 000061 reads them, and blocks writers while it builds an index.
alter table app.memories
  add column external_id text,
  add constraint memories_external_id_check
    check (
      external_id is null
      or (char_length(external_id) >= 1 and char_length(external_id) <= 200 and scope <> 'member') -- a dump keeps this form
    ) not valid;
comment on column app.memories.external_id is 'The id of an imported memory in the system that it came from.';
