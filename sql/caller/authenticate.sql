/*
 * From a credential's digest to the person who made it. Unknown, revoked, expired, of another class, of too small a
 * scope, or made by someone who is no longer an admin: all find no row and look alike. (Parts 5.5 and 5.6.)
 */
create table api.operations (
  name text primary key,
  method text not null,
  path text not null,
  platform boolean not null,
  scope app.key_scope not null,
  status smallint not null
);
comment on table api.operations is 'The operations of the contract and the scope that each asks for, written by botstead migrate from src/contract.';
alter table api.operations enable row level security;
alter table api.operations force row level security;
create policy definitions_read on api.operations for all to owner using (true) with check (true);

insert into api.operations (name, method, path, platform, scope, status)
select op.name, op.method, op.path, op.platform, op.scope, op.status
from json_to_recordset(current_setting('botstead.operations')::json)
  as op (name text, method text, path text, platform boolean, scope app.key_scope, status smallint);

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
  person uuid;
  scope app.key_scope;
  role app.member_role;
  platform boolean;
  last_used timestamptz;
begin
  select op.platform, op.status into platform, status from api.operations op where op.name = operation;
  if platform then
    select key.id into key_id
    from app.platform_keys key
    where key.digest = credential and key.revoked_at is null and key.expires_at > now();
    perform set_config('caller.platform_key_id', coalesce(key_id::text, ''), true),
      set_config('caller.organisation_id', '', true);
    return;
  end if;

  select key.organisation_id, key.id, key.scope, key.created_by, member.role, use.last_used_at
  into organisation_id, key_id, scope, person, role, last_used
  from app.api_keys key
  join api.operations op on op.name = operation and key.scope >= op.scope
  join app.memberships member
    on member.organisation_id = key.organisation_id and member.person_id = key.created_by and member.role >= 'admin'
  left join app.api_key_uses use on use.organisation_id = key.organisation_id and use.key_id = key.id
  where key.digest = credential and key.revoked_at is null and key.expires_at > now();

  perform set_config('caller.organisation_id', coalesce(organisation_id::text, ''), true),
    set_config('caller.person_id', coalesce(person::text, ''), true),
    set_config('caller.key_id', coalesce(key_id::text, ''), true),
    set_config('caller.scope', coalesce(scope::text, ''), true),
    set_config('caller.role', coalesce(role::text, ''), true),
    set_config('caller.platform_key_id', '', true);

  if key_id is not null and (last_used is null or last_used < now() - interval '1 minute') then
    perform caller.note_use(organisation_id, key_id);
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
