/*
 * Commands of the command line in the operators' log. They present no token: the login `cli` authorises them, and must
 * say who runs the command, and may say why. The recorded user and machine are what the command line reports. (docs/console.md)
 */
create function operator.command_user() returns text
language sql stable
as $$
  select left(
    coalesce(
      nullif(btrim(current_setting('caller.command_by', true)), ''), nullif(btrim(current_setting('application_name')), ''),
      'command line'
    ), 60
  )
$$;
comment on function operator.command_user is 'The operator of a command: the name of --by, or else what the session calls itself.';

create function operator.command_line() returns jsonb
language sql stable
as $$
  select case when session_user = 'cli' then jsonb_build_object('commandLine', current_setting('application_name')) else '{}' end
$$;
comment on function operator.command_line is 'For the arguments of a logged command: the user and machine that the command line reports.';

create function operator.require_attribution() returns void
language plpgsql
as $$
begin
  if session_user = 'cli' and btrim(coalesce(current_setting('caller.command_by', true), '')) = '' then
    perform errors.refuse('invalid_request', '[{"path":"by","message":"must be given: set caller.command_by"}]');
  end if;
end
$$;
comment on function operator.require_attribution is 'Refuses a command of the login cli that does not say who runs it.';

create function operator.note_command(
  action text, subject uuid, arguments jsonb, reason text default null, organisation uuid default null
) returns void
language plpgsql
as $$
declare
  why constant text := coalesce(
    left(nullif(btrim(current_setting('caller.command_reason', true)), ''), 500), note_command.reason
  );
  given constant jsonb := arguments || operator.command_line();
begin
  if action not in ('back_up', 'restore') then -- a schedule may run those
    perform operator.require_attribution();
  end if;
  -- The audit log, which is written at commit, names them too.
  perform set_config('caller.operator', operator.command_user(), true), set_config('caller.reason', coalesce(why, ''), true);
  if organisation is null then
    insert into app.operator_commands (operator, action, subject_id, arguments, reason)
    values (operator.command_user(), action, subject, given, why);
  else
    insert into app.operator_actions (organisation_id, operator, action, subject_id, arguments, reason)
    values (organisation, operator.command_user(), action, subject, given, why);
  end if;
end
$$;
comment on function operator.note_command is 'Adds a command to the operators'' log, with the organisation that it concerns, if any. For owner and definer functions.';

create function operator.note_executor(action text, name text, days integer default null) returns void
language plpgsql
security definer set search_path = ''
as $$
begin
  if (action in ('mint_executor', 'revoke_executor')) is not true then
    perform errors.refuse('invalid_request');
  end if;
  perform operator.note_command(action, null, jsonb_strip_nulls(jsonb_build_object('name', name, 'days', days)));
end
$$;
comment on function operator.note_executor is 'Instead of row-level security: only cli may execute it. Records in the operators'' log that an executor''s login was created or revoked.';
grant execute on function operator.note_executor to cli;

create function operator.note_backup(action text, name text) returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if (action in ('back_up', 'restore') and char_length(name) between 1 and 60) is not true then
    perform errors.refuse('invalid_request');
  end if;
  perform operator.note_command(action, null, jsonb_build_object('name', name));
end
$$;
comment on function operator.note_backup is 'Instead of row-level security: only cli may execute it. Records in the operators'' log that a backup ended or was restored.';
grant execute on function operator.note_backup to cli;
