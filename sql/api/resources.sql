/*
 * Operations that read or delete a resource by its id or list it, with the same text for each. Filters of a list are
 * conditions on its view. (docs/specification/conventions.md#lists)
 */
do $$
declare
  resource record;
begin
  for resource in
    select * from (
      values
        ('webhooks', 'rows.webhook_endpoints', ''),
        ('portal_sessions', 'rows.portal_sessions', ''),
        ('hooks', 'rows.hooks', 'and (input ->> ''botId'' is null or "botId" = (input ->> ''botId'')::uuid)'),
        ('routines', 'rows.routines', 'and (input ->> ''botId'' is null or "botId" = (input ->> ''botId'')::uuid)'),
        (
          'approvals', 'rows.approvals',
          'and (input ->> ''runId'' is null or "runId" = (input ->> ''runId'')::uuid)
           and (input ->> ''state'' is null or state = (input ->> ''state'')::app.approval_state)'
        )
    ) listed (name, view, filter)
  loop
    execute format($function$
      create function api.list_%1$s(input jsonb) returns text
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
      grant execute on function api.list_%1$s to tenant;
    $function$, resource.name, resource.view, resource.filter);
  end loop;

  for resource in
    select * from (
      values
        ('bot', 'bots'), ('key', 'api_keys'), ('portal_session', 'portal_sessions'), ('webhook', 'webhook_endpoints'), ('hook', 'hooks'),
        ('routine', 'routines'), ('approval', 'approvals'), ('run', 'runs'), ('memory', 'memories')
    ) readable (name, view)
  loop
    execute format($function$
      create function api.get_%1$s(input jsonb) returns text
      language plpgsql stable
      as $body$
      begin
        return errors.found((select row_to_json(item)::text from rows.%2$I item where item.id = (input ->> 'id')::uuid));
      end
      $body$;
      grant execute on function api.get_%1$s to tenant;
    $function$, resource.name, resource.view);
  end loop;

  for resource in
    select * from (values ('webhook', 'webhook_endpoints'), ('hook', 'hooks'), ('routine', 'routines')) deleted (name, stored)
  loop
    execute format($function$
      create function api.delete_%1$s(input jsonb) returns text
      language plpgsql
      as $body$
      begin
        update app.%2$I set deleted_at = now() where id = (input ->> 'id')::uuid and deleted_at is null;
        perform errors.require_row(found);
        return rows.deleted(input);
      end
      $body$;
      grant execute on function api.delete_%1$s to tenant;
    $function$, resource.name, resource.stored);
  end loop;
end
$$;
