/*
 * Tokens of operators and the sessions that they open. A token's scope is view or act; a session can do what its token
 * can, ends half an hour after it was last used and twelve hours after it began, and never outlives its token. Of both the
 * digests are kept. (docs/decisions.md, "The operators' console".)
 */
create function operator.mint_token(name text, scope app.operator_scope, days integer, digest bytea) returns uuid
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the operator's command line. The console has no way to this function.
  insert into app.operator_tokens (name, scope, digest, expires_at)
  values (name, scope, digest, now() + make_interval(days => days))
  returning id
$$;
comment on function operator.mint_token is 'Instead of row-level security: the operator''s command line. The console has no way here.';

create function operator.revoke_token(wanted text) returns boolean
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the operator's command line, which names a token by its id, or all of a name.
  with revoked as (
    update app.operator_tokens token
    set revoked_at = coalesce(token.revoked_at, now())
    where token.id::text = lower(wanted) or token.name = wanted
    returning token.id
  ), signed_out as (
    delete from app.operator_sessions session using revoked where session.token_id = revoked.id
  )
  select exists (select from revoked)
$$;
comment on function operator.revoke_token is 'Instead of row-level security: the operator''s command line. False when no token has that id or name.';

-- The one place that says which token a digest stands for, its own or its session's.
create function operator.token_of(credential bytea) returns app.operator_tokens
language sql stable
set search_path = ''
as $$
  select token.*
  from app.operator_tokens token
  where token.revoked_at is null
    and token.expires_at > now()
    and token.id in (
      select own.id from app.operator_tokens own where own.digest = credential
      union all
      select session.token_id
      from app.operator_sessions session
      where session.digest = credential
        and session.last_used_at > now() - interval '30 minutes'
        and session.created_at > now() - interval '12 hours'
    )
$$;
comment on function operator.token_of is 'The live token of a digest; a row of nulls for any other. For definer functions.';

create function operator.admit(
  credential bytea, out token_id uuid, out name text, out scope app.operator_scope, out expires_at timestamptz
)
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the digest of a live token or session, of which only what it admits to is told.
declare
  token constant app.operator_tokens := operator.token_of(credential);
begin
  token_id := token.id;
  name := token.name;
  scope := token.scope;
  select least(token.expires_at, session.created_at + interval '12 hours') into expires_at
  from app.operator_sessions session
  where session.digest = credential;
  expires_at := coalesce(expires_at, token.expires_at);
  -- Noted once a minute, and nobody waits for whoever is noting it.
  update app.operator_tokens held
  set last_used_at = now()
  where held.id = (
    select due.id from app.operator_tokens due
    where due.id = token.id and (due.last_used_at is null or due.last_used_at < now() - interval '1 minute')
    for update skip locked
  );
  update app.operator_sessions session
  set last_used_at = now()
  where session.digest = (
    select due.digest from app.operator_sessions due
    where due.digest = credential and due.token_id = token.id and due.last_used_at < now() - interval '1 minute'
    for update skip locked
  );
end
$$;
comment on function operator.admit is 'Instead of row-level security: the digest of a live token or session. Answers nulls for any other, and notes the use of one that lives.';

create function operator.open_session(token bytea, session bytea) returns boolean
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the digest of a live token. What has ended is cleared away as somebody signs in.
  with ended as (
    delete from app.operator_sessions old
    where old.last_used_at <= now() - interval '30 minutes' or old.created_at <= now() - interval '12 hours'
  ), opened as (
    insert into app.operator_sessions (digest, token_id)
    select session, held.id
    from app.operator_tokens held
    where held.digest = token and held.revoked_at is null and held.expires_at > now()
    returning 1
  )
  select exists (select from opened)
$$;
comment on function operator.open_session is 'Instead of row-level security: the digest of a live token. False when it is none; a session opens no other.';

create function operator.close_session(session bytea) returns boolean
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: the digest of the session, which only its browser can make.
  with closed as (
    delete from app.operator_sessions held where held.digest = session returning 1
  )
  select exists (select from closed)
$$;
comment on function operator.close_session is 'Instead of row-level security: the digest of the session, which only its browser can make.';
