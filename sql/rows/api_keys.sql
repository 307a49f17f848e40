/*
 * API key, without its digest. (docs/specification/keys.md)
 */
create view rows.api_keys with (security_invoker = true) as
select
  key.id,
  key.name,
  key.prefix,
  key.scope,
  key.created_by as "createdBy",
  rows.time(key.created_at) as "createdAt",
  rows.time(key.expires_at) as "expiresAt",
  rows.time(use.last_used_at) as "lastUsedAt",
  rows.time(key.revoked_at) as "revokedAt",
  key.revoked_at is null
    and key.expires_at > now()
    and exists (
      select from app.memberships member
      where member.organisation_id = key.organisation_id and member.person_id = key.created_by and member.role >= 'admin'
    ) as usable,
  key.allowed_ips as "allowedIps",
  key.rate_per_minute as "ratePerMinute"
from app.api_keys key
left join app.api_key_uses use on use.organisation_id = key.organisation_id and use.key_id = key.id;
grant select on rows.api_keys to tenant;
