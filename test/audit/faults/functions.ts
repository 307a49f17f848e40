/** Faults: functions and views with their owner's rights. */
import type { Faults } from "./fault.ts";

const instead = "Instead of row-level security: only owner may execute it.";
const definer = (config: string, comment: string) =>
  `set local role owner;
   create function jobs.careless() returns int language sql security definer ${config} as 'select 1';
   comment on function jobs.careless is '${comment}';
   reset role;`;
const pinned = "set search_path = ''";
const object = "function jobs.careless()";
const pin = `alter function jobs.careless ${pinned}`;
const comment = `comment on function jobs.careless is '${instead}'`;
const commented = (words: string) => ({ plant: definer(pinned, words), object, cure: comment });

export const faultsOfFunctions: Faults = {
  definer_without_search_path: {
    "without search_path": { plant: definer("", instead), object, cure: pin },
    "search_path set to a schema": { plant: definer("set search_path = app", instead), object, cure: pin },
    "search_path with the caller's temporary schema first": {
      plant: definer("set search_path = pg_temp, app", instead),
      object,
      cure: pin,
    },
    "a function in another schema": {
      plant: "create function public.careless() returns int language sql security definer as 'select 1'",
      object: "function public.careless()",
      cure: "alter function public.careless set search_path = ''",
    },
  },
  definer_without_comment: {
    "no comment": commented(""),
    "a comment without a reason": commented("Instead of row-level security: "),
    "a comment that names no check": commented("Instead of row-level security: reads rows of the organisation only."),
    "a comment that names a function which the body does not call": commented(
      "Instead of row-level security: operator.begin_action.",
    ),
    "a comment that names another role than may execute it": commented(
      "Instead of row-level security: only worker may execute it.",
    ),
    "a comment that names the privilege of tenant": {
      plant: `${definer(pinned, "Instead of row-level security: only tenant may execute it.")}
        grant execute on function jobs.careless to tenant;`,
      object,
      cure: `revoke execute on function jobs.careless from tenant; ${comment}`,
    },
    "a trigger function whose comment names its privilege": {
      plant: `comment on function triggers.tg_events__deliver is '${instead}'`,
      object: "function triggers.tg_events__deliver()",
      cure: "comment on function triggers.tg_events__deliver is 'Instead of row-level security: endpoint.organisation_id = new.organisation_id.'",
    },
  },
  definer_bypasses_rls: {
    "a superuser's function": {
      plant: "alter function jobs.run_maintenance() owner to postgres",
      object: "function jobs.run_maintenance()",
    },
    "an owner that got bypassrls": {
      plant: "alter role searcher bypassrls",
      object: "function search.memories(app.language,text,uuid[],uuid,jsonb,text,search.place,integer)",
      others: [
        "function search.deliveries(uuid,app.event_kind[],app.delivery_state[],uuid,uuid,integer)",
        "function search.pending_deliveries(uuid,uuid,uuid)",
      ],
      cure: "alter role searcher nobypassrls",
    },
  },
  trigger_function_open: {
    "a trigger function that tenant may execute": {
      plant: "grant execute on function triggers.tg_events__deliver to tenant",
      object: "function triggers.tg_events__deliver()",
    },
  },
  function_without_operation: {
    "a function without operation": {
      plant: "create function api.careless() returns int language sql as 'select 1'",
      object: "function api.careless",
      cure: "drop function api.careless",
    },
  },
  operation_without_function: {
    "an operation without function": {
      plant: "alter function api.get_me rename to got_me",
      object: "function api.get_me",
      cure: "alter function api.got_me rename to get_me",
    },
  },
  view_with_owner_rights: {
    "a view in rows": { plant: "create view rows.careless as select 1", object: "view rows.careless" },
    "a view in rows, one column granted to tenant": {
      plant: "create view rows.careless as select 1 as one; grant select (one) on rows.careless to tenant",
      object: "view rows.careless",
    },
    "a view that tenant reads": {
      plant: "create view api.careless as select * from app.people; grant select on api.careless to tenant",
      object: "view api.careless",
    },
    "a view in public that PUBLIC reads": {
      plant: "create view public.careless as select 1 as one; grant select on public.careless to public",
      object: "view public.careless",
    },
    "a view without security_invoker": {
      plant: "alter view rows.runs set (security_invoker = false)",
      object: "view rows.runs",
    },
    "a view of the console that cli reads": {
      plant: "grant select on operator.members to cli",
      object: "view operator.members",
      cure: "revoke select on operator.members from cli",
    },
    "a view of the console that worker reads": {
      plant: "grant select on operator.members to worker",
      object: "view operator.members",
      cure: "revoke select on operator.members from worker",
    },
  },
};
