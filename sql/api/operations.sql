create table api.operations (
  name text primary key,
  method text not null,
  path text not null,
  key_class text not null check (
    key_class in ('organisation', 'platform', 'portal_link', 'portal_session', 'authorization_code', 'invitation', 'approval', 'hook_address', 'hook')
  ),
  scope app.key_scope not null,
  role app.member_role not null,
  in_person boolean not null,
  stores_digest boolean not null,
  status smallint not null,
  section app.portal_section,
  input_rule text
);
comment on table api.operations is 'The operations of the contract and the scope and role that each needs, with its section of the portal, written by botstead migrate from src/contract.';
comment on column api.operations.input_rule is 'The condition on the input of a write, as SQL (src/database/input-rules.ts).';
alter table api.operations enable row level security;
alter table api.operations force row level security;
create policy definitions_read on api.operations for all to owner using (true) with check (true);
comment on policy definitions_read on api.operations is
  'All operations of the contract; they belong to no organisation.';

insert into api.operations (name, method, path, key_class, scope, role, in_person, stores_digest, status, section, input_rule)
select op.name, op.method, op.path, op.key_class, op.scope, op.role, op.in_person, op.stores_digest, op.status, op.section, op.input_rule
from json_to_recordset(current_setting('botstead.operations')::json)
  as op (name text, method text, path text, key_class text, scope app.key_scope, role app.member_role, in_person boolean, stores_digest boolean, status smallint, section app.portal_section, input_rule text);
