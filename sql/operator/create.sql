/*
 * Creating an organisation: its row, its owner (a person is created for a new address), the membership and a welcome
 * mail. Used by the platform key's operation and by the demo.
 */
create function operator.create_organisation(
  name text, kind app.organisation_kind, address text, display_name text, person uuid default null
) returns uuid
language plpgsql
as $$
declare
  created uuid;
  owner uuid;
begin
  insert into app.organisations (name, kind) values (name, kind) returning id into created;
  -- An upsert, so that two organisations created concurrently for one new address share the person.
  insert into app.people (id, email, display_name)
  values (coalesce(person, uuidv7()), address, create_organisation.display_name)
  on conflict (lower(email collate "pg_c_utf8")) do update set email = people.email
  returning id into owner;
  insert into app.memberships (organisation_id, person_id, role) values (created, owner, 'owner');
  insert into app.mails (organisation_id, kind, recipient, data)
  values (created, 'welcome', address, json_build_object('organisation', name));
  return created;
end
$$;
comment on function operator.create_organisation is 'Returns the id of the new organisation. person: the id of the owner if the address is new; null: any. A person with a known address keeps name and spelling.';
