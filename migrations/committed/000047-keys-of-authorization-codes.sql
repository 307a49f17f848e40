--! Previous: sha1:50bc0e26faba98338eb7b1dc146d4da5b7992ff6
--! Hash: sha1:2163108f6333ca46bb29ba39d2b3c6e090296c7e
--! Message: keys-of-authorization-codes

-- Keys that replaced the key of an authorization code by rotation. A repeated exchange revokes them too.
alter table app.authorization_codes add column later_key_ids uuid[] not null default '{}';
comment on column app.authorization_codes.later_key_ids is 'Keys that replaced the key by rotation. A repeated exchange revokes them too.';
