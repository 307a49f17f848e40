/*
 * Acts on which kinds of claim an organisation may not hold about third parties. Every organisation begins with the same
 * nine; an operator restricts more or allows some. What is held already stays: it can be deleted, and not changed.
 * (decisions: "Third-party limits".)
 */
create function operator.restrict_kind(organisation uuid, kind text, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for the organisation that it names.
declare
  spelled constant text := search.spelled(kind);
begin
  perform operator.begin_act('restrict_kind', organisation, null, jsonb_build_object('kind', spelled), reason);
  if (char_length(spelled) between 1 and 60) is not true then
    perform caller.refuse('invalid_request', '[{"path":"kind","message":"must have 1 to 60 characters"}]');
  end if;
  insert into app.third_party_restrictions (organisation_id, kind)
  values (organisation, spelled)
  on conflict do nothing;
  if found then
    insert into app.third_party_restriction_changes (organisation_id, kind, change, reason)
    values (organisation, spelled, 'restricted', btrim(reason));
  end if;
  return json_build_object('id', organisation, 'kind', spelled, 'restricted', true);
end
$$;
comment on function operator.restrict_kind is 'Instead of row-level security: an operator''s token of scope act. No claim of this kind, however it is spelled, is written about third parties from now on.';

create function operator.allow_kind(organisation uuid, kind text, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for the organisation that it names.
declare
  spelled constant text := search.spelled(kind);
begin
  perform operator.begin_act('allow_kind', organisation, null, jsonb_build_object('kind', spelled), reason);
  if (char_length(spelled) between 1 and 60) is not true then
    perform caller.refuse('invalid_request', '[{"path":"kind","message":"must have 1 to 60 characters"}]');
  end if;
  delete from app.third_party_restrictions restriction
  where restriction.organisation_id = organisation and restriction.kind = spelled;
  if found then
    insert into app.third_party_restriction_changes (organisation_id, kind, change, reason)
    values (organisation, spelled, 'allowed', btrim(reason));
  end if;
  return json_build_object('id', organisation, 'kind', spelled, 'restricted', false);
end
$$;
comment on function operator.allow_kind is 'Instead of row-level security: an operator''s token of scope act. Claims of this kind, however it is spelled, may be held about third parties.';
