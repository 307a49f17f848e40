--! Previous: sha1:ccc8b50dbf60aae91abf9d7170878bd016b5dd91
--! Hash: sha1:e142c603666b977fd140939fd46cc5978967247b
--! Message: longest-lives

-- The longest lives of credentials and approvals, also below the functions that make them. created_at comes from the id,
-- whose clock and rounding differ from now() by less than a second. Rows beyond a bound end at the bound.
do $$
declare
  bound record;
begin
  for bound in
    select * from (values
      ('api_keys', 'expires_at', '365 days'),
      ('platform_keys', 'expires_at', '365 days'),
      ('operator_tokens', 'expires_at', '365 days'),
      ('portal_sessions', 'expires_at', '1 hour'),
      ('portal_sessions', 'link_expires_at', '5 minutes'),
      ('approvals', 'expires_at', '30 days')
    ) listed (name, "end", life)
  loop
    execute format(
      'update app.%1$I set %2$I = created_at + interval %3$L where %2$I - created_at > interval %4$L',
      bound.name, bound."end", bound.life, bound.life || ' 1 second'
    );
    execute format(
      'alter table app.%1$I add check (%2$I - created_at <= interval %3$L)',
      bound.name, bound."end", bound.life || ' 1 second'
    );
  end loop;
end
$$;
