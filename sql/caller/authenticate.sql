/*
 * From a credential's digest to the person who made it. Unknown, revoked, expired, of another class, of too small a
 * scope, or made by someone who is no longer an admin: all find no row and look alike. (Parts 5.5 and 5.6.)
 */
create table api.operations (
  name text primary key,
  method text not null,
  path text not null,
  key_class text not null check (key_class in ('organisation', 'platform', 'invitation')),
  scope app.key_scope not null,
  status smallint not null
);
comment on table api.operations is 'The operations of the contract and the scope that each asks for, written by botstead migrate from src/contract.';
alter table api.operations enable row level security;
alter table api.operations force row level security;
create policy definitions_read on api.operations for all to owner using (true) with check (true);

insert into api.operations (name, method, path, key_class, scope, status)
select op.name, op.method, op.path, op.key_class, op.scope, op.status
from json_to_recordset(current_setting('botstead.operations')::json)
  as op (name text, method text, path text, key_class text, scope app.key_scope, status smallint);

create function caller.authenticate(
  credential bytea, operation text,
  out key_id uuid, out organisation_id uuid, out status smallint
)
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the caller holds a credential whose SHA-256 is that of a live key, and the key
-- admits the operation. Nothing is read for anyone else.
declare
  key_class text;
  key uuid;
  platform_key uuid;
  invitation uuid;
  person uuid;
  scope app.key_scope;
  role app.member_role;
  last_used timestamptz;
begin
  select op.key_class, op.status into key_class, status from api.operations op where op.name = operation;
  case key_class
    when 'organisation' then
      select held.organisation_id, held.id, held.scope, held.created_by, member.role, use.last_used_at
      into organisation_id, key, scope, person, role, last_used
      from app.api_keys held
      join api.operations op on op.name = operation and held.scope >= op.scope
      join app.memberships member
        on member.organisation_id = held.organisation_id
        and member.person_id = held.created_by
        and member.role >= 'admin'
      left join app.api_key_uses use on use.organisation_id = held.organisation_id and use.key_id = held.id
      where held.digest = credential and held.revoked_at is null and held.expires_at > now();
    when 'platform' then
      select held.id into platform_key
      from app.platform_keys held
      where held.digest = credential and held.revoked_at is null and held.expires_at > now();
    when 'invitation' then
      -- Also when it was answered or has expired: whoever holds the link is told so.
      select held.id into invitation from app.invitations held where held.token_digest = credential;
  end case;
  key_id := coalesce(key, platform_key, invitation);

  -- All of them, every time: what a session has set for itself counts for nothing.
  perform set_config('caller.organisation_id', coalesce(organisation_id::text, ''), true),
    set_config('caller.person_id', coalesce(person::text, ''), true),
    set_config('caller.key_id', coalesce(key::text, ''), true),
    set_config('caller.scope', coalesce(scope::text, ''), true),
    set_config('caller.role', coalesce(role::text, ''), true),
    set_config('caller.platform_key_id', coalesce(platform_key::text, ''), true),
    set_config('caller.invitation_id', coalesce(invitation::text, ''), true);

  if key is not null and (last_used is null or last_used < now() - interval '1 minute') then
    perform caller.note_use(organisation_id, key);
  end if;
end
$$;
comment on function caller.authenticate is 'Instead of row-level security: the digest of a live credential that admits the operation. Sets who is asking for the rest of the transaction.';

create function caller.note_use(organisation uuid, key uuid)
returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: executable by its owner alone, for the key that has just been accepted.
  -- A row that somebody else is writing is skipped: their "now" is as good as ours, and nobody waits.
  with free as (
    select use.organisation_id, use.key_id
    from app.api_key_uses use
    where use.organisation_id = organisation and use.key_id = key
    for update skip locked
  )
  update app.api_key_uses use
  set last_used_at = now()
  from free
  where use.organisation_id = free.organisation_id and use.key_id = free.key_id
$$;
comment on function caller.note_use is 'Instead of row-level security: only its owner may call it, for the key just accepted.';
