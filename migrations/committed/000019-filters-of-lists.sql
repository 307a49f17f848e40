--! Previous: sha1:6101d9840f5a437e69daf207fca890b1255dd959
--! Hash: sha1:9916c2222a855d2f94fb78ff301bc9d68bd19b2d
--! Message: filters-of-lists

-- Enter migration here

-- Indexes of the filters of lists. (docs/decisions/0064-filters-of-lists.md)
create index deliveries_by_event on app.deliveries (organisation_id, endpoint_id, event, state, id);

create index runs_started_by_api on app.runs (organisation_id, id) where trigger = 'api';
create index runs_started_by_message on app.runs (organisation_id, id) where trigger = 'message';
create index runs_started_by_routine on app.runs (organisation_id, id) where trigger = 'routine';
create index runs_started_by_webhook on app.runs (organisation_id, id) where trigger = 'webhook';

create index api_keys_unrevoked on app.api_keys (organisation_id, id) where revoked_at is null;
create index api_keys_unrevoked_by_expiry on app.api_keys (organisation_id, expires_at) where revoked_at is null;
create index api_keys_revoked on app.api_keys (organisation_id, id) where revoked_at is not null;
