/*
 * Authorization codes as credentials. (docs/specification/oauth.md)
 */
create function caller.authorization_code(credential bytea) returns uuid
language sql stable
security definer set search_path = ''
as $$
  select code.id from app.authorization_codes code where code.digest = credential
$$;
comment on function caller.authorization_code is 'Instead of row-level security: code.digest = credential. Returns the id, also of a used or expired code, and nothing else.';
grant execute on function caller.authorization_code to authenticator;
