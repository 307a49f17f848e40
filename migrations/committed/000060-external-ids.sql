--! Previous: sha1:558b64f5a017d8dec084eb954452f48e8ec2aa69
--! Hash: sha1:44507e1950c4a1621ca6f62ee7e3da6d92ec25d2
--! Message: external-ids

-- No row is read or rewritten. 000061 reads them, without a lock that blocks readers or writers of rows.
alter table app.memories
  add column external_id text,
  add constraint memories_external_id_check
    check (external_id is null or (char_length(external_id) between 1 and 200 and scope <> 'member')) not valid;
comment on column app.memories.external_id is 'The id of an imported memory in the system that it came from.';
