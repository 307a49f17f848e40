/*
 * For each table of audit.logged_tables, generates a trigger function and its triggers. Generated code names the
 * columns, so that no write reads the catalogue. A column that was added by hand is left out, so that it can be dropped.
 */
do $$
declare
  logged record;
  of_column record;
begin
  for logged in select * from audit.logged_tables loop
    -- SQL text: the values of the new and the old row, the names of changed columns, and the condition of a change.
    select
      string_agg(format('%L, %s', part.label, replace(part.value, '%', 'new')), ', ') filter (where part.is_shown) as of_new,
      string_agg(format('%L, %s', part.label, replace(part.value, '%', 'old')), ', ') filter (where part.is_shown) as of_old,
      string_agg(format('case when %s then %L end', part.differs, part.label), ', ') as differences,
      string_agg(part.differs, ' or ') as differs,
      array_agg(part.label) filter (where part.is_key) as labels,
      case
        when logged.name = 'organisations' then '%.id'
        when logged.resource = 'service' then quote_literal('00000000-0000-0000-0000-000000000000') -- the chain of the service
        else '%.organisation_id'
      end as organisation
    into strict of_column
    from (
      select attribute.attnum,
        rows.in_camel_case(attribute.attname) as label,
        attribute.attname = any (logged.shown) as is_shown,
        attribute.attnum = any (primary_key.conkey) as is_key,
        format(case when attribute.atttypid = 'timestamptz'::regtype then 'rows.time(%%.%I)' else '%%.%I' end, attribute.attname)
          as value,
        format('old.%1$I is distinct from new.%1$I', attribute.attname) as differs
      from pg_catalog.pg_attribute attribute
      join pg_catalog.pg_constraint primary_key on primary_key.conrelid = attribute.attrelid and primary_key.contype = 'p'
      where attribute.attrelid = ('app.' || quote_ident(logged.name))::regclass
        and attribute.attname = any (logged.shown || logged.named)
        and not attribute.attisdropped
        and not current_setting('botstead.added_columns')::jsonb ? format('column app.%I.%I', logged.name, attribute.attname)
      union all
      select null, 'contentDigest', true, false, logged.content,
        (select string_agg(format('old.%1$I is distinct from new.%1$I', digested), ' or ') from unnest(logged.digested) digested)
      where logged.content is not null
      order by attnum
    ) part;

    execute format(
      $function$
        create function triggers.%1$I() returns trigger
        language plpgsql
        security definer set search_path = ''
        as $body$
        declare
          is_logged boolean; -- unused: assigning the result avoids a separate SQL statement
          changed text[];
        begin
          %11$s
          if tg_op = 'INSERT' then
            is_logged := triggers.log_change(%2$s, %3$L, %4$s, 'created', '{}', null, json_build_object(%5$s));
          elsif tg_op = 'UPDATE' then
            changed := array_remove(array[%7$s], null);
            is_logged := triggers.log_change(
              %2$s, %3$L, %4$s, 'updated', changed, triggers.pick_fields(changed %9$s, json_build_object(%6$s)),
              triggers.pick_fields(changed %9$s, json_build_object(%5$s))
            );
          else
            is_logged := triggers.log_change(%10$s, %3$L, %8$s, 'deleted', '{}', json_build_object(%6$s), null);
          end if;
          return null;
        end
        $body$
      $function$,
      'tg_' || logged.name || '__log_change',
      replace(of_column.organisation, '%', 'new'),
      logged.resource, coalesce('new.' || quote_ident(logged.subject), 'null'), of_column.of_new, of_column.of_old,
      of_column.differences, coalesce('old.' || quote_ident(logged.subject), 'null'),
      -- A row without an id is identified by the columns of its primary key.
      case when logged.subject is null then '|| ' || quote_literal(of_column.labels) || '::text[]' end,
      replace(of_column.organisation, '%', 'old'),
      -- The log has one entry of the deletion of an organisation.
      case when logged.resource <> 'service' then format(
        'if session_user = ''worker'' and tg_op <> ''INSERT'' and triggers.is_deletion_step(%s) then return null; end if;',
        replace(of_column.organisation, '%', 'old')
      ) end
    );
    execute format(
      'comment on function triggers.%I is %L', 'tg_' || logged.name || '__log_change',
      'Instead of row-level security: triggers.log_change, with the organisation of the row. Writes the audit log entry of the change.'
    );
    execute format(
      'create constraint trigger _900_log_creation after insert on app.%I deferrable initially deferred for each row %s execute function triggers.%I()',
      logged.name, 'when (' || logged.creation || ')', 'tg_' || logged.name || '__log_change'
    );
    execute format(
      'create constraint trigger _900_log_change after update on app.%I deferrable initially deferred for each row when (%s) execute function triggers.%I()',
      logged.name, coalesce(logged.change, of_column.differs), 'tg_' || logged.name || '__log_change'
    );
    execute format(
      'create constraint trigger _900_log_deletion after delete on app.%I deferrable initially deferred for each row execute function triggers.%I()',
      logged.name, 'tg_' || logged.name || '__log_change'
    );
  end loop;
end
$$;
