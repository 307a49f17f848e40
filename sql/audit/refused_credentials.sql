/* Which credentials were refused, why, and from where. (docs/auditing.md#which-credentials-were-refused) */
create view audit.refused_credentials as
select refused.hour, nullif(refused.address, '0.0.0.0/0') as address, refused.kind, nullif(refused.prefix, '') as prefix, refused.reason, refused.requests,
  refused.first_at, refused.last_at, nullif(refused.credential_id, '00000000-0000-0000-0000-000000000000') as credential_id, owned.organisation_id
from app.refused_credentials refused
left join lateral (
  select key.organisation_id from app.api_keys key where key.id = refused.credential_id
  union all
  select session.organisation_id from app.portal_sessions session where session.id = refused.credential_id
  union all
  select code.organisation_id from app.authorization_codes code where code.id = refused.credential_id
  union all
  select hook.organisation_id from app.hooks hook where hook.id = refused.credential_id
  union all
  select invitation.organisation_id from app.invitations invitation where invitation.id = refused.credential_id
  union all
  select approval.organisation_id from app.approvals approval where approval.id = refused.credential_id
) owned on true;
comment on view audit.refused_credentials is 'Refused credentials per hour, for 30 days, without secrets. address: null for the rest beyond the bounds, and for callers without an address.';
grant select on audit.refused_credentials to auditor;
