--! Previous: sha1:eefe691a00c69a3066b537c584efd8d53bbcd6c0
--! Hash: sha1:6ab154b6525103853d65e5adb4909374b77f5be0
--! Message: newest-chain-heads

-- While a session holds a snapshot, PostgreSQL keeps each version of a chain head. Both numbers only grow, so the last
-- version of an organisation is the last in this order, and is found without the others. A unique index by
-- organisation would compare each new version with all kept ones. (bench/notes/pressure.md)
alter table app.audit_chain_heads
  drop constraint audit_chain_heads_pkey,
  add primary key (organisation_id, event_position, sequence);
