/*
 * Calls the function of an operation, or refuses the problem of validation. Generated from the contract: a case is
 * faster than dynamic SQL, and lists everything that can be reached. A case compares its names in turn, so the names
 * are divided into seven groups.
 */
do $$
begin
  execute format(
    $function$
      create function api_private.dispatch(operation text, input jsonb, problem json default null) returns text
      language plpgsql as $body$
      begin
        if problem is not null then
          perform errors.refuse(problem ->> 'code', problem -> 'details', problem ->> 'reason');
        end if;
      %s
        raise exception 'There is no operation of that name.';
      end
      $body$
    $function$,
    (
      select string_agg(
        format(
          E'  if operation <= %L collate "C" then\n    case operation\n%s\n    end case;\n  end if;',
          name_group.last, name_group.cases
        ),
        E'\n' order by name_group.last collate "C"
      )
      from (
        select max(op.name collate "C") as last,
          string_agg(format('      when %L then %sreturn %s;', op.name, op.check, op.call), E'\n' order by op.name) as cases
        from (
          select listed.name, ntile(7) over (order by listed.name collate "C") as number,
            format(
              case listed.method when 'patch'
                then 'case when input ? ''ifMatch'' then api_private.change_if_match(operation, input) else api.%I(input) end'
                else 'api.%I(input)'
              end,
              listed.name
            ) as call,
            case when listed.input_rule is not null then format('perform api_private.require_contract(%L, input); ', listed.name) end as check
          from api.operations listed
        ) op
        group by op.number
      ) name_group
    )
  );
end
$$;
grant execute on function api_private.dispatch to tenant;
