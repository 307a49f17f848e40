/** Faults of functions and views that work as their owner. */
import type { Faults } from "./fault.ts";

const instead = "Instead of row-level security: nothing is read.";
const definer = (config: string, comment: string) =>
  `set local role owner;
   create function jobs.careless() returns int language sql security definer ${config} as 'select 1';
   comment on function jobs.careless is '${comment}';
   reset role;`;
const pinned = "set search_path = ''";
const object = "function jobs.careless()";

export const faultsOfFunctions: Faults = {
  definer_without_search_path: {
    "one that doesn't pin it": { plant: definer("", instead), object },
    "one that pins it to a schema": { plant: definer("set search_path = app", instead), object },
    "one that looks into the caller's temporary tables first": {
      plant: definer("set search_path = pg_temp, app", instead),
      object,
    },
    "one elsewhere": {
      plant: "create function public.careless() returns int language sql security definer as 'select 1'",
      object: "function public.careless()",
    },
  },
  definer_without_words: {
    "one that says nothing": {
      plant: definer(pinned, ""),
      object,
      cure: `comment on function jobs.careless is '${instead}'`,
    },
    "one that says nothing after the first words": {
      plant: definer(pinned, "Instead of row-level security: "),
      object,
      cure: `comment on function jobs.careless is '${instead}'`,
    },
  },
  definer_above_walls: {
    "one that belongs to a superuser": {
      plant: "alter function jobs.sweep() owner to postgres",
      object: "function jobs.sweep()",
    },
    "one whose owner was set above the walls": {
      plant: "alter role searcher bypassrls",
      object: "function search.claims(app.language,text,uuid[],uuid,jsonb,text,search.place,integer)",
      cure: "alter role searcher nobypassrls",
    },
  },
  trigger_function_open: {
    "one that tenant may put on a table": {
      plant: "grant execute on function triggers.tg_events__deliver to tenant",
      object: "function triggers.tg_events__deliver()",
    },
  },
  function_without_operation: {
    "one too many": {
      plant: "create function api.careless() returns int language sql as 'select 1'",
      object: "function api.careless",
      cure: "drop function api.careless",
    },
  },
  operation_without_function: {
    "one too few": {
      plant: "alter function api.get_me rename to got_me",
      object: "function api.get_me",
      cure: "alter function api.got_me rename to get_me",
    },
  },
  view_as_its_owner: {
    "one in schema rows": { plant: "create view rows.careless as select 1", object: "view rows.careless" },
    "one in schema rows of which tenant reads a column": {
      plant: "create view rows.careless as select 1 as one; grant select (one) on rows.careless to tenant",
      object: "view rows.careless",
    },
    "one that tenant reads": {
      plant: "create view api.careless as select * from app.people; grant select on api.careless to tenant",
      object: "view api.careless",
    },
    "one in public that everybody reads": {
      plant: "create view public.careless as select 1 as one; grant select on public.careless to public",
      object: "view public.careless",
    },
    "one whose setting went": {
      plant: "alter view rows.runs set (security_invoker = false)",
      object: "view rows.runs",
    },
    "one of the console's that worker reads": {
      plant: "grant select on operator.members to worker",
      object: "view operator.members",
      cure: "revoke select on operator.members from worker",
    },
  },
};
