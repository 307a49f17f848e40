--! Previous: sha1:01fd6d4deadd56d01e5854016ecfe2907a570159
--! Hash: sha1:418d9f81b3fa9834a95972b9af2cc14acc3bdea2
--! Message: actions-on-faults

-- Accepting a fault of an organisation's audit log is an action on that organisation, and ends with it.
with moved as (
  delete from app.operator_commands command
  using app.organisations present
  where command.action = 'accept_audit_fault' and command.arguments ->> 'organisation' = present.id::text
  returning present.id as organisation_id, command.id, command.operator, command.action, command.arguments, command.reason
)
insert into app.operator_actions (organisation_id, id, operator, action, arguments, reason)
select organisation_id, id, operator, action, arguments, reason from moved;
