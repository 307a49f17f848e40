/*
 * Operations that read or delete a resource by its id or list it, with the same text for each. Filters of a list are
 * conditions on its view. (docs/specification/conventions.md#lists) Each row names its function in full, for `git grep`.
 */
do $$
declare
  resource record;
begin
  for resource in
    select * from (
      values
        ('function api.list_webhooks', 'rows.webhook_endpoints', ''),
        ('function api.list_portal_sessions', 'rows.portal_sessions', ''),
        ('function api.list_exports', 'rows.exports', ''),
        ('function api.list_hooks', 'rows.hooks', 'and (input ->> ''botId'' is null or "botId" = (input ->> ''botId'')::uuid)'),
        ('function api.list_routines', 'rows.routines', 'and (input ->> ''botId'' is null or "botId" = (input ->> ''botId'')::uuid)'),
        (
          'function api.list_approvals', 'rows.approvals',
          'and (input ->> ''runId'' is null or "runId" = (input ->> ''runId'')::uuid)
           and (input ->> ''state'' is null or state = (input ->> ''state'')::app.approval_state)'
        )
    ) listed (function, view, filter)
  loop
    execute format($function$
      create %1$s(input jsonb) returns text
      language sql stable
      as $body$
        select rows.page(array_agg(row_to_json(listed) order by listed.id desc), input)
        from (
          select * from %2$s
          where id < rows.before(input) %3$s
          order by id desc
          limit (input ->> 'limit')::integer + 1
        ) listed
      $body$;
      grant execute on %1$s to tenant;
    $function$, resource.function, resource.view, resource.filter);
  end loop;

  for resource in
    select * from (
      values
        ('function api.get_bot', 'bots'),
        ('function api.get_key', 'api_keys'),
        ('function api.get_portal_session', 'portal_sessions'),
        ('function api.get_export', 'exports'),
        ('function api.get_webhook', 'webhook_endpoints'),
        ('function api.get_hook', 'hooks'),
        ('function api.get_routine', 'routines'),
        ('function api.get_approval', 'approvals'),
        ('function api.get_run', 'runs')
    ) readable (function, view)
  loop
    execute format($function$
      create %1$s(input jsonb) returns text
      language plpgsql stable
      as $body$
      begin
        return errors.found((select row_to_json(item)::text from rows.%2$I item where item.id = (input ->> 'id')::uuid));
      end
      $body$;
      grant execute on %1$s to tenant;
    $function$, resource.function, resource.view);
  end loop;

  for resource in
    select * from (
      values
        ('function api.delete_webhook', 'webhook_endpoints'),
        ('function api.delete_hook', 'hooks'),
        ('function api.delete_routine', 'routines')
    ) deletable (function, stored)
  loop
    execute format($function$
      create %1$s(input jsonb) returns text
      language plpgsql
      as $body$
      begin
        update app.%2$I set deleted_at = now() where id = (input ->> 'id')::uuid and deleted_at is null;
        perform errors.require_row(found);
        return rows.deleted(input);
      end
      $body$;
      grant execute on %1$s to tenant;
    $function$, resource.function, resource.stored);
  end loop;
end
$$;
