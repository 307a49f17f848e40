--! Previous: sha1:418d9f81b3fa9834a95972b9af2cc14acc3bdea2
--! Hash: sha1:481ad4b3844fcb6957bafccac09ace114e4cdefb
--! Message: audit-parts-and-retention

-- A part of the audit stream whose first entries retention has dropped is another part, with another id.
alter table app.audit_streams add column part_first_sequence bigint;
comment on column app.audit_streams.part_first_sequence is 'The first entry of the part. Null: no part, or it began before this column.';
comment on column app.audit_streams.checkpoint is
  'The last checkpoint that the receiver has, or may have. The next part proves that its checkpoint extends this one. Null after a move to another cluster.';
comment on column app.audit_streams.part_id is
  'The part whose delivery has begun, with its last entry and its checkpoint. Every attempt sends the same part, unless retention has dropped entries of it.';
