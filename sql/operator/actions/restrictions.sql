/*
 * Operator actions on restricted kinds of memories about third parties. Every organisation starts with the same 9; an
 * operator restricts more or allows some. Existing memories stay: they can be deleted, not changed.
 * (docs/specification/memories.md#restricted-kinds)
 */
create function operator.check_kind(spelled text) returns void
language plpgsql
as $$
begin
  if (char_length(spelled) between 1 and 60) is not true then
    perform errors.refuse('invalid_request', '[{"path":"kind","message":"must have 1 to 60 characters"}]');
  end if;
end
$$;
comment on function operator.check_kind is 'Refuses a text that cannot be a kind of memory.';

create function operator.restrict_kind(organisation uuid, kind text, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  spelled constant text := names.spelled(kind);
begin
  perform operator.begin_action('restrict_kind', organisation, null, jsonb_build_object('kind', spelled), reason);
  perform operator.check_kind(spelled);
  insert into app.third_party_restrictions (organisation_id, kind)
  select organisation, spelled
  where not exists (
    select from app.third_party_restrictions restriction
    where restriction.organisation_id = organisation and search.skeleton(restriction.kind) = search.skeleton(spelled)
  )
  on conflict do nothing;
  if found then
    insert into app.third_party_restriction_changes (organisation_id, kind, change, reason)
    values (organisation, spelled, 'restricted', btrim(reason));
  end if;
  return json_build_object('id', organisation, 'kind', spelled, 'restricted', true);
end
$$;
comment on function operator.restrict_kind is 'Instead of row-level security: operator.begin_action, for a token of scope act. From now on no memory about third parties may have this kind, in any spelling.';
grant execute on function operator.restrict_kind to operator;

create function operator.allow_kind(organisation uuid, kind text, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  spelled constant text := names.spelled(kind);
begin
  perform operator.begin_action('allow_kind', organisation, null, jsonb_build_object('kind', spelled), reason);
  perform operator.check_kind(spelled);
  delete from app.third_party_restrictions restriction
  where restriction.organisation_id = organisation and search.skeleton(restriction.kind) = search.skeleton(spelled);
  if found then
    insert into app.third_party_restriction_changes (organisation_id, kind, change, reason)
    values (organisation, spelled, 'allowed', btrim(reason));
  end if;
  return json_build_object('id', organisation, 'kind', spelled, 'restricted', false);
end
$$;
comment on function operator.allow_kind is 'Instead of row-level security: operator.begin_action, for a token of scope act. Memories about third parties may have this kind, in any spelling.';
grant execute on function operator.allow_kind to operator;
