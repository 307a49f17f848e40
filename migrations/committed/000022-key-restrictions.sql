--! Previous: sha1:9cc7d8d95bc8ed533673aeedf8f1dc1fa2fefd37
--! Hash: sha1:fd98a0f86c4a15e26f6b0c8fc965d2564344e354
--! Message: key-restrictions

-- Enter migration here
-- Restrictions of keys: addresses, and a rate limit below that of all keys.
alter table app.api_keys
  add column allowed_ips cidr[]
    check (cardinality(allowed_ips) between 1 and 50 and array_position(allowed_ips, null) is null),
  add column rate_per_minute integer check (rate_per_minute between 1 and 300);
comment on column app.api_keys.allowed_ips is
  'The key is accepted from these addresses only. Null: from any address.';
comment on column app.api_keys.rate_per_minute is
  'Requests per minute, at most the number of any key. Null: that number.';
