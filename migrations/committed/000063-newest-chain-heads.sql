--! Previous: sha1:c7345fec677dbeb79395f148bea45d58663cb092
--! Hash: sha1:5e675e988037b0e3bd9a7225ac7a1ee1b60a796a
--! Message: newest-chain-heads

-- While a session holds a snapshot, PostgreSQL keeps each version of a chain head. Both numbers only grow, so the last
-- version of an organisation is the last in this order, and is found without the others. A unique index by
-- organisation would compare each new version with all kept ones. (bench/notes/pressure.md)
alter table app.audit_chain_heads
  drop constraint audit_chain_heads_pkey,
  add primary key (organisation_id, event_position, sequence);
