/* Metrics of credentials that expire, for /metrics. (docs/observing.md) */
create function operator.measure_credentials() returns json
language sql stable
set search_path = ''
as $$
  -- A credential made for less than 28 days is meant to end soon. An expired login still counts: nothing deletes it.
  select json_object_agg(credential.kind, (
    select extract(epoch from min(expiring.at) - now())
    from (
      select token.expires_at
      from app.operator_tokens token
      where credential.kind = 'operator_token' and token.revoked_at is null and token.expires_at > now()
        and token.expires_at - token.created_at >= interval '28 days'
      union all
      select key.expires_at
      from app.platform_keys key
      where credential.kind = 'platform_key' and key.revoked_at is null and key.expires_at > now()
        and key.expires_at - key.created_at >= interval '28 days'
      union all
      select login.rolvaliduntil
      from pg_roles login
      where credential.kind = 'database_login' and login.rolcanlogin and isfinite(login.rolvaliduntil)
        and (
          starts_with(login.rolname, 'executor_')
          or login.rolname in ('owner', 'server', 'worker', 'runner', 'operator', 'cli', 'auditor')
        )
    ) expiring (at)
  ))
  from (values ('operator_token'), ('platform_key'), ('database_login')) credential (kind)
$$;
comment on function operator.measure_credentials is 'Seconds until the first live credential of each kind expires; null if none does. Logins are roles of PostgreSQL with a valid until.';
