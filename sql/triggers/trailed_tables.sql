/*
 * A function and its triggers for each table that the trail tells of, written out from audit.trailed_tables: what is known
 * beforehand need not be found out with every write.
 */
create function triggers.in_camel_case(name text) returns text
language sql immutable parallel safe
as $$ select lower(left(name, 1)) || substr(replace(initcap(replace(name, '_', ' ')), ' ', ''), 2) $$;
comment on function triggers.in_camel_case is 'A column''s name as the API writes names.';

do $$
declare
  trailed record;
  of_column record;
begin
  for trailed in select * from audit.trailed_tables loop
    -- As text: what stands for the values of new and old rows, for "it has changed", and for what must have changed.
    select
      string_agg(format('%L, %s', part.label, replace(part.value, '%', 'new')), ', ') filter (where part.is_shown) as of_new,
      string_agg(format('%L, %s', part.label, replace(part.value, '%', 'old')), ', ') filter (where part.is_shown) as of_old,
      string_agg(
        format('case when old.%1$I is distinct from new.%1$I then %2$L end', part.name, part.label), ', '
      ) as differences,
      string_agg(format('old.%1$I is distinct from new.%1$I', part.name), ' or ') as differs
    into strict of_column
    from (
      select attribute.attname as name,
        triggers.in_camel_case(attribute.attname) as label,
        attribute.attname = any (trailed.shown) as is_shown,
        format(case when attribute.atttypid = 'timestamptz'::regtype then 'rows.time(%%.%I)' else '%%.%I' end, attribute.attname)
          as value
      from pg_catalog.pg_attribute attribute
      where attribute.attrelid = ('app.' || quote_ident(trailed.name))::regclass
        and attribute.attname = any (trailed.shown || trailed.named)
        and not attribute.attisdropped
      order by attribute.attnum
    ) part;

    execute format(
      $function$
        create function triggers.%1$I() returns trigger
        language plpgsql
        security definer
        set search_path = ''
        as $body$
        -- In place of row-level security: it tells of the row being written, in the trail of that row's organisation.
        declare
          is_kept boolean; -- asked of nobody: assigned, a function is called without a statement of its own
          changed text[];
        begin
          if tg_op = 'INSERT' then
            is_kept := triggers.trail(new.%2$I, %3$L, %4$s, 'created', '{}', null, json_build_object(%5$s));
          elsif tg_op = 'UPDATE' then
            changed := array_remove(array[%7$s], null);
            is_kept := triggers.trail(
              new.%2$I, %3$L, %4$s, 'updated', changed, triggers.picked(changed, json_build_object(%6$s)),
              triggers.picked(changed, json_build_object(%5$s))
            );
          else
            is_kept := triggers.trail(old.%2$I, %3$L, %8$s, 'deleted', '{}', json_build_object(%6$s), null);
          end if;
          return null;
        end
        $body$
      $function$,
      'tg_' || trailed.name || '__trail',
      case trailed.name when 'organisations' then 'id' else 'organisation_id' end,
      trailed.resource, coalesce('new.' || quote_ident(trailed.subject), 'null'), of_column.of_new, of_column.of_old,
      of_column.differences, coalesce('old.' || quote_ident(trailed.subject), 'null')
    );
    execute format(
      'comment on function triggers.%I is %L', 'tg_' || trailed.name || '__trail',
      'Instead of row-level security: tells of the row being written, in the trail of that row''s organisation.'
    );
    execute format(
      'create constraint trigger _900_trail_creation after insert on app.%I deferrable initially deferred for each row %s execute function triggers.%I()',
      trailed.name, 'when (' || trailed.creation || ')', 'tg_' || trailed.name || '__trail'
    );
    execute format(
      'create constraint trigger _900_trail_change after update on app.%I deferrable initially deferred for each row when (%s) execute function triggers.%I()',
      trailed.name, coalesce(trailed.change, of_column.differs), 'tg_' || trailed.name || '__trail'
    );
    execute format(
      'create constraint trigger _900_trail_deletion after delete on app.%I deferrable initially deferred for each row execute function triggers.%I()',
      trailed.name, 'tg_' || trailed.name || '__trail'
    );
  end loop;
end
$$;
