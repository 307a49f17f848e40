/*
 * Commands of the command line in the operators' log. They present no token: the login `cli` authorises them. The
 * recorded user and machine are what the command line reports. (docs/console.md)
 */
create function operator.note_command(
  action text, subject uuid, arguments jsonb, reason text default null, organisation uuid default null
) returns void
language sql
set search_path = ''
as $$
  with command as (
    select left(coalesce(nullif(btrim(current_setting('application_name')), ''), 'command line'), 60) as operator
  ), in_organisation as (
    insert into app.operator_actions (organisation_id, operator, action, subject_id, arguments, reason)
    select organisation, command.operator, action, subject, note_command.arguments, reason
    from command
    where organisation is not null
  )
  insert into app.operator_commands (operator, action, subject_id, arguments, reason)
  select command.operator, action, subject, note_command.arguments, reason from command where organisation is null
$$;
comment on function operator.note_command is 'Adds a command to the operators'' log, with the organisation that it concerns, if any. For owner and definer functions.';

create function operator.note_executor(action text, name text, days integer default null) returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if (action in ('mint_executor', 'revoke_executor')) is not true then
    perform errors.refuse('invalid_request');
  end if;
  perform operator.note_command(action, null, jsonb_strip_nulls(jsonb_build_object('name', name, 'days', days)));
end
$$;
comment on function operator.note_executor is 'Instead of row-level security: the login of the command line. Records in the operators'' log that an executor''s login was created or revoked.';
grant execute on function operator.note_executor to cli;
