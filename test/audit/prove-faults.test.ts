/**
 * Faults in policies, made from the catalogue of a scratch database. The proof finds each that breaks a statement, and PostgreSQL
 * confirms the examples. Another fault is a difference that --diff shows, or the condition follows from others.
 */
import type { Catalogue, Command, Policy } from "../../src/prove/catalogue.ts";
import { decide } from "../../src/prove/counterexample.ts";
import { compareAccess } from "../../src/prove/differences.ts";
import { provePolicies } from "../../src/prove/prove.ts";
import { provedOfFile } from "../support/proved.ts";
import { faultsOfPolicies, type PolicyFault } from "./faults-of-policies.ts";

const here = provedOfFile();

type Outcome = "refuted" | "not proven" | "wider" | "narrower" | "equal" | "unknown";
type Concerns = (role: string, command: string) => boolean;

/** The catalogue, with the policy as PostgreSQL prints it after the fault. */
async function faulty({ table: name, policy }: PolicyFault): Promise<{ catalogue: Catalogue; concerns: Concerns }> {
  const { rows } = await here.admin.query<Pick<Policy, "using" | "check">>(
    `select pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as check
     from pg_policy where polrelid = $1::regclass and polname = $2`,
    [name, policy],
  );
  const changed = (each: Policy): Policy => (each.name === policy ? { ...each, ...rows[0] } : each);
  const tables = here.catalogue.tables.map((table) =>
    table.name === name ? { ...table, policies: table.policies.map(changed) } : table,
  );
  const { roles = [], command: of } =
    tables.find((table) => table.name === name)?.policies.find((each) => each.name === policy) ?? {};
  return {
    catalogue: { ...here.catalogue, tables, version: "faulty" },
    concerns: (role, command) => roles.includes(role) && (of === "all" || of === command),
  };
}

async function difference(catalogue: Catalogue, table: string, concerns: Concerns): Promise<Outcome> {
  const kinds = new Set<string>();
  for (const { role, privilege, ...access } of here.catalogue.privileges) {
    const command = privilege.toLowerCase() as Command;
    if (access.table !== table || !concerns(role, command)) continue;
    for (const { kind } of await compareAccess(here.catalogue, catalogue, here.solver, role, table, command))
      kinds.add(kind);
  }
  if (kinds.has("unknown")) return "unknown";
  return kinds.has("more") ? "wider" : kinds.has("less") ? "narrower" : "equal";
}

const outcomes: { fault: PolicyFault; outcome: Outcome; decision?: string }[] = [];

beforeAll(async () => {
  for (const fault of faultsOfPolicies(here.catalogue)) {
    await here.admin.query(fault.statement);
    const { catalogue, concerns } = await faulty(fault);
    const only = ({ table, role, command }: { table: { name: string }; role: string; command: string }) =>
      table.name === fault.table && concerns(role, command);
    const results = await provePolicies(catalogue, here.solver, only);
    const refuted = results.find(({ verdict }) => verdict === "refuted");
    const open = refuted ?? results.find(({ verdict }) => verdict === "not proven");
    outcomes.push({
      fault,
      outcome: open ? (open.verdict as Outcome) : await difference(catalogue, fault.table, concerns),
      ...(open?.example ? { decision: await decide(here.admin, catalogue, open) } : {}),
    });
    await here.admin.query(fault.undo);
  }
}, 240_000);

const named = ({ table, policy, side, what }: PolicyFault) =>
  `${table} ${policy} ${side} ${what}`.replaceAll(/\s+/g, " ").replaceAll(/\(SELECT (\S+) AS \S+\)/g, "$1");
const of = (...wanted: Outcome[]) => outcomes.filter(({ outcome }) => wanted.includes(outcome));

test("the proof finds more than 140 faults, and PostgreSQL confirms more than 100 of them and denies none", () => {
  expect(of("refuted", "not proven").length).toBeGreaterThan(140);
  const decisions = outcomes.flatMap(({ decision }) => decision ?? []);
  expect(decisions.filter((decision) => decision === "not real")).toEqual([]);
  expect(decisions.filter((decision) => decision === "real").length).toBeGreaterThan(100);
});

test("each other fault admits more rows, or its condition follows from others", () => {
  expect(of("narrower", "unknown").map(({ fault }) => named(fault))).toEqual([]);
  expect(of("wider").length).toBeGreaterThan(60);
  // Another policy or condition has the same effect. Where only the comparison of null changed, no row or setting is null.
  const redundant = of("equal").map(({ fault }) => named(fault));
  const without = redundant.filter((name) => name.includes(" without "));
  expect(without.length).toBeLessThan(14);
  const known = [
    "app.bots update_visible using without organisation_id = caller.organisation_id()", // no privilege to change it; the check has it
    "app.bots update_visible check without organisation_id = caller.organisation_id()",
    "app.deliveries insert_of_event check without caller.scope() = 'admin'::app.key_scope", // events are visible to admins
    "app.portal_sessions insert_within_ones_rank check without organisation_id = caller.organisation_id()", // a visible member
    "app.run_events select_of_visible using without organisation_id = caller.organisation_id()", // a visible run
    "app.run_metadata insert_with_own_run check without organisation_id = caller.organisation_id()",
    "app.run_metadata select_of_visible_runs using without organisation_id = caller.organisation_id()",
    "app.steps select_of_visible_runs using without organisation_id = caller.organisation_id()",
  ];
  expect(without).toEqual(expect.arrayContaining(known));
});
