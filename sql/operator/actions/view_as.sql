/*
 * Viewing the portal as a person of an organisation. The action makes a link to a read-only portal session with that
 * person's rights and policies. The audit log of the organisation gets an entry for the link, for its use and for the end.
 * (docs/specification/portal.md#view-as)
 *
 * It requires scope act although a view changes nothing: nothing else in the console shows text of conversations and
 * memories.
 */
create function operator.view_as(organisation uuid, person uuid, link_digest bytea, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  created uuid;
begin
  perform operator.begin_action('view_as', organisation, person, null, reason);
  if not exists (
    select from app.memberships member where member.organisation_id = organisation and member.person_id = person
  ) then
    perform errors.refuse('not_found');
  end if;
  insert into app.portal_sessions (organisation_id, person_id, operator, operator_token_id, read_only, link_digest, expires_at)
  values (organisation, person, caller.operator(), (operator.present()).id, true, link_digest, now() + interval '30 minutes')
  returning id into created;
  return operator.perform('get_portal_session', jsonb_build_object('id', created));
end
$$;
comment on function operator.view_as is 'Instead of row-level security: operator.begin_action, for a token of scope act. Makes a link to a read-only portal session of 30 minutes; not_found for a person who is no member.';
grant execute on function operator.view_as to operator;
