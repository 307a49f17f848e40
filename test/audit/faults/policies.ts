/** Faults: policies, and privileges without a policy. */
import type { Faults } from "./fault.ts";

const wide = (condition: string, command = "select", clause = "using") =>
  `create policy wide on app.runs for ${command} to tenant ${clause} (${condition})`;
const ours = "organisation_id = (select caller.organisation_id())";
const dropped = { object: "policy wide on app.runs", cure: "drop policy wide on app.runs" };

export const faultsOfPolicies: Faults = {
  policy_for_others: {
    "for PUBLIC": { plant: "create policy wide on app.runs using (false)", ...dropped },
    "for server": { plant: "create policy wide on app.runs to server using (false)", ...dropped },
  },
  policy_open: {
    "for tenant": { plant: wide("true"), ...dropped },
    "for insert, with check (true)": { plant: wide("true", "insert", "with check"), ...dropped },
    "an update with a condition on old rows only": {
      plant: `create policy wide on app.runs for update to tenant using (${ours}) with check (true)`,
      ...dropped,
    },
    "for owner, on a table of tenants": {
      plant: "alter policy definitions_within_request on app.mails using (true)",
      object: "policy definitions_within_request on app.mails",
      cure: "drop policy definitions_within_request on app.mails",
    },
    "an exception changed to another command": {
      plant: `drop policy select_alive on app.executors;
        create policy select_alive on app.executors for update to tenant using (true)`,
      object: "policy select_alive on app.executors",
      cure: `drop policy select_alive on app.executors;
        create policy select_alive on app.executors for select to tenant using (true)`,
    },
  },
  policy_without_organisation: {
    "a condition without the organisation": { plant: wide("state = 'completed'"), ...dropped },
    "an insert without the organisation": {
      plant: wide("person_id = caller.person_id()", "insert", "with check"),
      ...dropped,
    },
    "for all commands, with check without the organisation": {
      plant: `create policy wide on app.runs for all to tenant using (${ours})
        with check (person_id = (select caller.person_id()))`,
      ...dropped,
    },
    "for owner, with check without the organisation": {
      plant: "alter policy definitions_within_request on app.mails with check (recipient <> '')",
      object: "policy definitions_within_request on app.mails",
      cure: "drop policy definitions_within_request on app.mails",
    },
    "a comparison with an alternative": { plant: wide(`${ours} or taint`), ...dropped },
    "a comparison in one of two cases": {
      plant: wide(`(${ours} and state = 'queued') or (taint and state = 'failed')`),
      ...dropped,
    },
    "a comparison with the row's own value if no organisation is set": {
      plant: wide("organisation_id = coalesce((select caller.organisation_id()), organisation_id)"),
      ...dropped,
    },
    "a comparison with another function": {
      plant: `create function public.organisation_id() returns uuid language sql as 'select null::uuid';
        revoke execute on function public.organisation_id from public;
        ${wide("organisation_id = (select public.organisation_id())")}`,
      ...dropped,
    },
  },
  policy_without_comment: {
    "a removed comment": {
      plant: "comment on policy select_visible on app.bots is null",
      object: "policy select_visible on app.bots",
      cure: "comment on policy select_visible on app.bots is 'The bots.'",
    },
    "no comment": { plant: wide(ours), ...dropped },
  },
  privilege_without_policy: {
    "a privilege on a whole table": {
      plant: "grant delete on app.runs to tenant",
      object: "table app.runs",
      cure: "revoke delete on app.runs from tenant",
    },
    "a privilege on a column": {
      plant: "grant update (kind) on app.steps to tenant",
      object: "table app.steps",
      cure: "revoke update (kind) on app.steps from tenant",
    },
    "a dropped policy": {
      plant: "drop policy select_own on app.conversations",
      object: "table app.conversations",
      cure: `create policy select_own on app.conversations for select to tenant using (${ours})`,
    },
    "an added privilege of authenticator": {
      plant: "grant select (id) on app.runs to authenticator",
      object: "table app.runs",
      cure: "revoke select (id) on app.runs from authenticator",
    },
  },
};
