/*
 * Refuses invisible and misleading names when they are written. Argument 1 is the column. Argument 2 names an
 * exception: `links` for names that no mail quotes, `description` for text that may be blank and have several lines.
 */
create function triggers.refuse_unreadable_name() returns trigger
language plpgsql
as $$
declare
  written constant text := to_jsonb(new) ->> tg_argv[0];
  allowed constant text := coalesce(tg_argv[1], '');
  fault text;
begin
  if tg_op = 'UPDATE' and to_jsonb(old) ->> tg_argv[0] is not distinct from written then
    return new; -- the name may be older than this rule
  end if;
  fault := case
    when allowed = 'description' then
      case when names.has_controls(translate(written, E'\t\n\r', ''))
        then 'must not contain control characters, except line breaks and tabs, or bidi controls'
      end
    when names.has_controls(written) then 'must not contain control characters, line breaks or bidi controls'
    when not names.is_visible(written) then 'must contain a visible character'
    when allowed = '' and names.has_link(written) then 'must not contain :// or www.'
  end;
  if fault is not null then
    perform errors.refuse('invalid_request', json_build_array(json_build_object('path', tg_argv[0], 'message', fault)));
  end if;
  return new;
end
$$;
comment on function triggers.refuse_unreadable_name is 'Refuses an invisible or misleading text in the column of the first argument.';

create trigger _050_refuse_unreadable_name before insert or update of name on app.organisations
  for each row execute function triggers.refuse_unreadable_name('name');
create trigger _050_refuse_unreadable_name before insert or update of display_name on app.people
  for each row when (new.display_name is not null)
  execute function triggers.refuse_unreadable_name('display_name');
create trigger _050_refuse_unreadable_name before insert or update of name on app.bots
  for each row execute function triggers.refuse_unreadable_name('name');
create trigger _050_refuse_unreadable_name before insert or update of name on app.api_keys
  for each row execute function triggers.refuse_unreadable_name('name');
create trigger _050_refuse_unreadable_name before insert or update of name on app.platform_keys
  for each row execute function triggers.refuse_unreadable_name('name');
create trigger _050_refuse_unreadable_name before insert or update of name on app.routines
  for each row execute function triggers.refuse_unreadable_name('name');
create trigger _050_refuse_unreadable_name before insert or update of name on app.hooks
  for each row execute function triggers.refuse_unreadable_name('name');
create trigger _050_refuse_unreadable_name before insert or update of name on app.operator_tokens
  for each row execute function triggers.refuse_unreadable_name('name');
-- The name of an executor is its host name, which may begin with www.
create trigger _050_refuse_unreadable_name before insert or update of name on app.executors
  for each row execute function triggers.refuse_unreadable_name('name', 'links');
create trigger _050_refuse_unreadable_description before insert or update of description on app.webhook_endpoints
  for each row when (new.description is not null)
  execute function triggers.refuse_unreadable_name('description', 'description');
