/*
 * How an organisation comes to be: its row, its owner (a person is made where the address is new), their membership,
 * and a mail that tells them. Shared by the platform key's operation and the demo of the first start.
 */
create function operator.found_organisation(
  name text, kind app.organisation_kind, address text, display_name text
) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  founded uuid;
  owner uuid;
begin
  insert into app.organisations (name, kind) values (name, kind) returning id into founded;
  -- Written as an upsert so that two organisations founded at once for one new address share the person.
  insert into app.people (email, display_name)
  values (address, found_organisation.display_name)
  on conflict (lower(email)) do update set email = people.email
  returning id into owner;
  insert into app.memberships (organisation_id, person_id, role) values (founded, owner, 'owner');
  insert into app.mails (organisation_id, kind, recipient, data)
  values (founded, 'welcome', address, json_build_object('organisation', name));
  return founded;
end
$$;
comment on function operator.found_organisation is 'Answers the id of the new organisation. The person of a known address keeps the name and spelling they have.';
