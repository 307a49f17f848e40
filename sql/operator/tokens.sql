/*
 * Tokens of operators and their sessions. A token has scope view or act. A session has the rights of its token, ends 30
 * minutes after its last use and 12 hours after it began, and never outlives the token. Only digests of both are
 * stored. (docs/decisions/0029-console.md)
 */
create function operator.mint_token(name text, scope app.operator_scope, days integer, digest bytea) returns uuid
language plpgsql
security definer set search_path = ''
as $$
declare
  minted uuid;
begin
  insert into app.operator_tokens (name, scope, digest, expires_at)
  values (name, scope, digest, now() + make_interval(days => days))
  returning id into minted;
  perform operator.note_command('mint_token', minted, jsonb_build_object('name', name, 'scope', scope, 'days', days));
  return minted;
end
$$;
comment on function operator.mint_token is 'Instead of row-level security: only cli may execute it. The console''s login may not execute it.';
grant execute on function operator.mint_token to cli;

create function operator.revoke_token(wanted text) returns boolean
language plpgsql
security definer set search_path = ''
as $$
declare
  revoked app.operator_tokens;
  any_revoked boolean := false;
begin
  for revoked in
    update app.operator_tokens token
    set revoked_at = coalesce(token.revoked_at, now())
    where token.id::text = lower(wanted) or token.name = wanted
    returning token.*
  loop
    any_revoked := true;
    delete from app.operator_sessions session where session.token_id = revoked.id;
    perform operator.note_command('revoke_token', revoked.id, jsonb_build_object('name', revoked.name));
  end loop;
  return any_revoked;
end
$$;
comment on function operator.revoke_token is 'Instead of row-level security: only cli may execute it. Returns false if no token has that id or name.';
grant execute on function operator.revoke_token to cli;

-- The only place that resolves a digest, of a token or of a session, to the token.
create function operator.token_of(credential bytea) returns app.operator_tokens
language sql stable
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
comment on function operator.token_of is 'The live token of a digest; a row of nulls if there is none. For definer functions.';

create function operator.admit(
  credential bytea, out token_id uuid, out name text, out scope app.operator_scope, out expires_at timestamptz
)
language plpgsql
security definer set search_path = ''
as $$
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
  -- Written at most once a minute, and skipped if another transaction is writing it.
  update app.operator_tokens operator_token
  set last_used_at = now()
  where operator_token.id = (
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
comment on function operator.admit is 'Instead of row-level security: operator.token_of, for the digest of a live token or session. Returns nulls for any other digest, and records the use of a live one.';
grant execute on function operator.admit to operator;

create function operator.open_session(token bytea, session bytea) returns boolean
language sql
security definer set search_path = ''
as $$
  with ended as (
    delete from app.operator_sessions old
    where old.last_used_at <= now() - interval '30 minutes' or old.created_at <= now() - interval '12 hours'
  ), opened as (
    insert into app.operator_sessions (digest, token_id)
    select session, operator_token.id
    from app.operator_tokens operator_token
    where operator_token.digest = token and operator_token.revoked_at is null and operator_token.expires_at > now()
    returning 1
  )
  select exists (select from opened)
$$;
comment on function operator.open_session is 'Instead of row-level security: operator_token.digest = token. Returns false for any other digest; a session opens no other session.';
grant execute on function operator.open_session to operator;

create function operator.close_session(session bytea) returns boolean
language sql
security definer set search_path = ''
as $$
  with closed as (
    delete from app.operator_sessions operator_session where operator_session.digest = session returning 1
  )
  select exists (select from closed)
$$;
comment on function operator.close_session is 'Instead of row-level security: operator_session.digest = session. Only the session''s browser can compute the digest.';
grant execute on function operator.close_session to operator;

create function operator.count_refused_credentials(counts jsonb) returns void
language sql
security definer set search_path = ''
as $$ select service.count_refused_credentials(counts) $$;
comment on function operator.count_refused_credentials is 'Instead of row-level security: only operator may execute it. The console''s own refusals (src/web/refused-credentials.ts).';
grant execute on function operator.count_refused_credentials to operator;
