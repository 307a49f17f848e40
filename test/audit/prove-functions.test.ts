/** The proof of functions that run as another role than the caller: the list of what is not proven, and faults that lengthen it. */
import { readFileSync } from "node:fs";
import type { Bound } from "../../src/prove/bounds.ts";
import type { SqlFunction } from "../../src/prove/catalogue.ts";
import { type Analysis, analyse } from "../../src/prove/functions.ts";
import { judged, reached } from "../../src/prove/reach.ts";
import { pageOf, unlisted } from "../../src/prove/unproven-page.ts";
import { inProject } from "../support/doc-blocks.ts";
import { provedOfFile } from "../support/proved.ts";

const here = provedOfFile();

const definitionOf = async ({ identity }: SqlFunction) => {
  const { rows } = await here.admin.query<{ body: string; definition: string }>(
    "select prosrc as body, pg_get_functiondef(oid) as definition from pg_proc where oid = $1::regprocedure",
    [identity],
  );
  return rows[0] ?? { body: "", definition: "" };
};

/** The function as PostgreSQL has it with another body, in a transaction that is rolled back. */
async function changed(found: SqlFunction, body: string): Promise<SqlFunction | undefined> {
  const before = await definitionOf(found);
  await here.admin.query("begin");
  try {
    await here.admin.query(before.definition.replace(before.body, () => body));
    const after = await definitionOf(found);
    return { ...found, body: after.body, definition: found.language === "plpgsql" ? after.definition : null };
  } catch {
    return undefined; // no longer a function, such as an update without its assignment
  } finally {
    await here.admin.query("rollback");
  }
}

let analyses: Analysis[];

beforeAll(async () => {
  analyses = await reached(here.catalogue, here.solver);
}, 120_000);

test("docs/unproven-functions.md has every place that is not proven, and no other", async () => {
  const { unproven, proven, accesses } = await judged(analyses, here.catalogue);
  expect(proven).toBeGreaterThan(400);
  expect(proven / accesses).toBeGreaterThan(0.8);
  expect(unlisted(unproven)).toEqual([]);
  // After a change that proves more: npx botstead audit prove --list > docs/unproven-functions.md
  expect(readFileSync(inProject("docs/unproven-functions.md"), "utf8")).toBe(pageOf(unproven));
});

const strength: Record<Bound["by"], number> = { caller: 3, argument: 2, policy: 1, none: 0 };
const strengths = ({ accesses }: Analysis) => accesses.map(({ bound }) => strength[bound.by]);

test("each condition on an organisation that a function loses is found, was not proven before, or follows from others", async () => {
  const outcomes = new Map<string, string>();
  for (const before of analyses) {
    const { found, role } = before.context;
    if (role === "tenant" || !found.body || before.accesses.length === 0) continue;
    // Functions of limits are made from one text.
    if (found.name.startsWith("limits.enforce_") && found.name !== "limits.enforce_live_keys") continue;
    const conditions = [...found.body.matchAll(/(?<=(?:where|and|on)\s+)(?:\w+\.)*organisation_id = [\w.]+(?:\(\))?/g)];
    for (const { 0: text, index } of conditions) {
      const body = `${found.body.slice(0, index)}true${found.body.slice(index + text.length)}`;
      const weaker = await changed(found, body);
      if (!weaker) continue;
      const after = await analyse({ found: weaker, role }, here.catalogue, here.solver);
      const [former, present] = [strengths(before), strengths(after)];
      const isWeaker = present.some((one, place) => one < (former[place] ?? 0));
      const wasOpen = Math.min(...former) < 2;
      outcomes.set(
        `${found.identity}, at ${index}: ${text}`,
        isWeaker ? "found" : wasOpen ? "not proven before" : "follows",
      );
    }
  }
  const of = (outcome: string) => [...outcomes].filter(([, each]) => each === outcome).map(([name]) => name);
  expect(of("found").length).toBeGreaterThan(100);
  // Such as a second row beside a row of the caller: the policy of owner then binds it.
  expect(of("follows").length).toBeLessThan(6);
  expect(of("not proven before").length).toBeLessThan(10);
});

describe("a body of a definer function", () => {
  const found: SqlFunction = {
    ...{ name: "policies.planted", identity: "policies.planted(uuid,bytea)", owner: "owner", language: "plpgsql" },
    ...{ definer: true, volatile: true, strict: false, returnsSet: true, isTrigger: false, returns: "uuid" },
    arguments: [
      { name: "organisation", type: "uuid" },
      { name: "presented", type: "bytea" },
    ],
    ...{ otherSettings: false, body: "", definition: "", executedBy: ["tenant"] },
  };

  beforeAll(() =>
    here.admin.query(
      `create function policies.planted(organisation uuid, presented bytea) returns setof uuid
       language plpgsql security definer set search_path = '' as $$begin return; end$$`,
    ),
  );

  const all = "select run.id from app.runs run";
  test.each<[string, string, (string | number)[]]>([
    [
      "of a query for the caller",
      `return query ${all} where run.organisation_id = caller.organisation_id();`,
      ["caller"],
    ],
    ["of a query for an argument", `return query ${all} where run.organisation_id = organisation;`, ["argument"]],
    [
      "that assigns its argument",
      `organisation := (select other.id from app.organisations other limit 1); return query ${all} where run.organisation_id = organisation;`,
      ["policy", "policy"],
    ],
    [
      "of a query under a part of an or",
      `return query ${all} where run.organisation_id = organisation or presented is null;`,
      ["policy"],
    ],
    [
      "of an outer join whose condition binds one side",
      `return query ${all} left join app.bots bot on bot.organisation_id = organisation and run.organisation_id = organisation;`,
      ["policy", "argument"],
    ],
    [
      "of a union with an unbound side",
      `return query ${all} where run.organisation_id = organisation union all ${all};`,
      ["argument", "policy"],
    ],
    [
      "of a row that a presented digest finds",
      `return query ${all} join app.api_keys key on key.organisation_id = run.organisation_id where key.digest = presented;`,
      ["caller", "caller"],
    ],
    [
      "of an insert into an organisation of a row that is not bound",
      `insert into app.erasures (organisation_id) select other.id from app.organisations other;`,
      ["policy", "policy"],
    ],
    ["of dynamic SQL", `return query execute 'select id from app.runs';`, ["dynamic SQL"]],
    [
      "of a loop over dynamic SQL",
      `for organisation in execute 'select id from app.runs' loop null; end loop;`,
      ["dynamic SQL"],
    ],
    [
      "that hands a text to a function",
      `perform query_to_xml('select id from app.runs', true, true, '');`,
      ["dynamic SQL"],
    ],
    [
      "of a recursive query",
      `return query with recursive part as (${all} union all select part.id from part) select part.id from part;`,
      ["a recursive query"],
    ],
    [
      "that sets an identity",
      `perform set_config('caller.organisation_id', organisation::text, true);`,
      ["it sets the identity of the caller"],
    ],
  ])("%s is judged", async (_name, statement, expected) => {
    const planted = await changed(found, `begin ${statement} end`);
    if (!planted) throw new Error("PostgreSQL refused the body.");
    const { accesses, reasons } = await analyse({ found: planted, role: "owner" }, here.catalogue, here.solver);
    expect([...accesses.map(({ bound }) => bound.by), ...reasons]).toEqual(expected);
  });
});
