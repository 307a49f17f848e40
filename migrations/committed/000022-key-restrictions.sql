--! Previous: sha1:af0fa9fa9c48e0556de11149470cce9a92693d24
--! Hash: sha1:ba57143f45089940db4ef43b693b0a6bd66126dd
--! Message: key-restrictions

-- Enter migration here
-- Restrictions of keys: addresses, and a rate limit below that of all keys.
alter table app.api_keys
  add column allowed_ips cidr[]
    check (cardinality(allowed_ips) >= 1 and cardinality(allowed_ips) <= 50 and array_position(allowed_ips, null) is null),
  add column rate_per_minute integer check (rate_per_minute between 1 and 300);
comment on column app.api_keys.allowed_ips is
  'The key is accepted from these addresses only. Null: from any address.';
comment on column app.api_keys.rate_per_minute is
  'Requests per minute, at most the number of any key. Null: that number.';
