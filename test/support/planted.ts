/** Faults in the definitions of functions, for tests that find them. */

/** Changes the definition of a function. @throws Error, in PostgreSQL, if it lacks the text */
export const inFunction = (name: string, ...changes: [from: string, to: string][]) => `
  do $plant$
  declare
    definition text := pg_get_functiondef('${name}'::regproc);
    change record;
  begin
    for change in select * from jsonb_to_recordset($json$${JSON.stringify(changes.map(([before, after]) => ({ before, after })))}$json$)
      as changes (before text, after text)
    loop
      if position(change.before in definition) = 0 then
        raise 'The function lacks the text.';
      end if;
      definition := replace(definition, change.before, change.after);
    end loop;
    execute definition;
  end
  $plant$`;
