--! Previous: sha1:9916c2222a855d2f94fb78ff301bc9d68bd19b2d
--! Hash: sha1:1ec2fa11c8e1c1cbd8148143f829fc993df336c6
--! Message: signing-keys

-- Keys of the installation that sign deliveries, beside the secret of each endpoint.

create table app.signing_keys (
  id uuid primary key default uuidv7(),
  public_key bytea not null check (octet_length(public_key) = 32),
  private_key_sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  signs_until timestamptz(3),
  published_until timestamptz(3),
  check ((signs_until is null) = (published_until is null)),
  check (published_until >= signs_until)
);
create unique index signing_keys_current on app.signing_keys ((signs_until is null)) where signs_until is null;
comment on table app.signing_keys is
  'Ed25519 keys of the installation that sign deliveries. Workers create them; one without signs_until is the current one.';
comment on column app.signing_keys.private_key_sealed is 'PKCS #8 in PEM, sealed under the master key.';
comment on column app.signing_keys.signs_until is 'The end of the overlap, after a rotation.';
comment on column app.signing_keys.published_until is 'After this time the key leaves the published keys, and workers delete it.';
