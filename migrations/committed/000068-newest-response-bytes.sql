--! Previous: sha1:c678a73ae1c85ed31c406d40c4613aa5eb7310d4
--! Hash: sha1:d24a1dc51dcdf4cfbe646d42914a9b9eb5f74a0e
--! Message: newest-response-bytes

-- While a session holds a snapshot, PostgreSQL keeps each version of the row of this hour. The last version has the greatest
-- number, so it is found without the others. (bench/notes/pressure.md)
alter table app.response_bytes
  add column version bigint not null default 0,
  drop constraint response_bytes_pkey,
  add primary key (organisation_id, ring_hour, version);
comment on column app.response_bytes.version is
  'Grows with each change. Two calls that find no row may each insert one: the one with the greater number counts, and the other has no bytes.';
alter table app.response_bytes reset (fillfactor); -- each change has another key, so none is a heap-only tuple
