/** botstead audit prove: the proof of a new database, its exceptions, its logic, and ways around policies. */
import { readCatalogue } from "../../src/prove/catalogue.ts";
import { exceptions } from "../../src/prove/exceptions.ts";
import { encode } from "../../src/prove/expression.ts";
import { expressionOf } from "../../src/prove/parse.ts";
import { environmentOf } from "../../src/prove/policies.ts";
import { newProblem } from "../../src/prove/problem.ts";
import { provePolicies, type Result } from "../../src/prove/prove.ts";
import { proofAsJson } from "../../src/prove/report.ts";
import { waysAround } from "../../src/prove/structure.ts";
import { and, asTruth, not } from "../../src/prove/terms.ts";
import { provedOfFile } from "../support/proved.ts";

const here = provedOfFile();

const verdicts = (results: Result[]) =>
  results.map(({ role, command, statement, verdict }) => `${role} ${command} ${statement.name}: ${verdict}`);

/** The results of a table in a transaction that is rolled back. */
async function after(change: string, name: string, role: string): Promise<string[]> {
  await here.admin.query(`begin; ${change}`);
  const catalogue = await readCatalogue(here.admin).finally(() => here.admin.query("rollback"));
  return verdicts(
    await provePolicies(catalogue, here.solver, ({ table, ...access }) => table.name === name && access.role === role),
  );
}

test("every policy, command and role of a new database is proven or excepted, in less than a minute of processor time", async () => {
  const before = process.cpuUsage();
  const results = await provePolicies(here.catalogue, here.solver);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(60);
  expect(results.filter(({ verdict }) => verdict !== "proven" && verdict !== "excepted")).toEqual([]);
  const byPolicies = results.filter(({ policies }) => policies.length > 0);
  expect(byPolicies.filter(({ verdict }) => verdict === "proven").length).toBeGreaterThan(250);
  const tables = new Set(results.map(({ table }) => table));
  expect(["app.memories", "app.people", "app.organisations", "app.runs"].filter((table) => !tables.has(table))).toEqual(
    [],
  );
  expect(waysAround(here.catalogue)).toEqual([]);
});

test("each exception is needed: without it the statement is refuted", async () => {
  const taken = exceptions.splice(0);
  try {
    const concerns = ({ role, tables = ["app.memories"] }: (typeof taken)[number], name: string, of: string) =>
      role === of && tables.includes(name);
    const results = await provePolicies(here.catalogue, here.solver, ({ table, role }) =>
      taken.some((each) => concerns(each, table.name, role)),
    );
    const needless = taken.filter(({ role, statement, tables, commands }) =>
      results.every(
        (result) =>
          result.verdict === "proven" ||
          result.role !== role ||
          result.statement.name !== statement ||
          (tables && !tables.includes(result.table)) ||
          (commands && !commands.includes(result.command)),
      ),
    );
    expect(needless).toEqual([]);
  } finally {
    exceptions.push(...taken);
  }
});

test("a function of the caller that returns something else refutes the policies that use it", async () => {
  const change = `create or replace function caller.organisation_id() returns uuid language sql stable
    as $$ select coalesce(nullif(current_setting('caller.organisation_id', true), ''), current_setting('caller.person_id', true))::uuid $$`;
  expect(await after(change, "app.invitations", "tenant")).toEqual([
    "tenant select organisation: refuted",
    "tenant insert organisation: refuted",
    "tenant insert scope: proven",
    "tenant update organisation: refuted",
    "tenant update scope: proven",
  ]);
});

test("a member memory is private also in a session that another person opened", async () => {
  const change = `create or replace function caller.private_person_id() returns uuid language sql stable as $$ select caller.person_id() $$`;
  expect(await after(change, "app.memories", "tenant")).toContain("tenant select private: refuted");
});

test("a function that is not understood leaves a statement not proven, with its name", async () => {
  await here.admin.query(`begin;
    create function policies.odd(id uuid) returns boolean language plpgsql stable as $$ begin return true; end $$;
    alter policy select_same_organisation on app.monthly_usage using (policies.odd(organisation_id))`);
  const catalogue = await readCatalogue(here.admin).finally(() => here.admin.query("rollback"));
  const [result] = await provePolicies(
    catalogue,
    here.solver,
    ({ table, role, command }) => table.name === "app.monthly_usage" && role === "tenant" && command === "select",
  );
  expect([result?.verdict, result?.reasons]).toEqual(["not proven", ["function policies.odd"]]);
});

test.each([
  ["a second permissive policy", "create policy more on app.runs for select to public using (true)", "refuted"],
  [
    "a restrictive policy beside it",
    "create policy more on app.runs as restrictive for select to public using (false)",
    "proven",
  ],
  [
    "a permissive and a restrictive policy",
    `create policy more on app.runs for select to public using (true);
     create policy less on app.runs as restrictive for select to tenant using (organisation_id = caller.organisation_id())`,
    "proven",
  ],
  ["no row-level security", "alter table app.runs disable row level security", "refuted"],
])("%s decides about runs", async (_name, change, verdict) => {
  expect(await after(change, "app.runs", "tenant")).toContain(`tenant select organisation: ${verdict}`);
});

test("an update to another organisation is refuted once tenant may change the column", async () => {
  expect(await after("grant update (organisation_id) on app.runs to tenant", "app.runs", "tenant")).toContain(
    "tenant update organisation: refuted",
  );
});

test("--json has the verdict, the condition and the example of each statement", async () => {
  await here.admin.query("begin; alter policy select_same_organisation on app.monthly_usage using (true)");
  const catalogue = await readCatalogue(here.admin).finally(() => here.admin.query("rollback"));
  const results = await provePolicies(
    catalogue,
    here.solver,
    ({ table, role, command }) => table.name === "app.monthly_usage" && role === "tenant" && command === "select",
  );
  const functions = { functions: 0, accesses: 0, proven: 0, unproven: [] };
  expect(proofAsJson({ database: "test", at: new Date(0), catalogue, results, ways: [], functions })).toMatchObject({
    results: [
      {
        ...{
          role: "tenant",
          table: "app.monthly_usage",
          command: "select",
          verdict: "refuted",
          statement: "organisation",
        },
        condition: "organisation_id = nullif(current_setting('caller.organisation_id', true), '')::uuid",
        example: expect.stringContaining("set local role tenant;"),
      },
    ],
  });
});

test("ways around policies are found", async () => {
  await here.admin.query(`begin;
    alter table app.runs disable row level security;
    alter table app.steps no force row level security;
    grant truncate on app.bots to tenant;
    create view rows.everything as select * from app.memories;
    grant select on rows.everything to tenant`);
  const catalogue = await readCatalogue(here.admin).finally(() => here.admin.query("rollback"));
  expect(waysAround(catalogue)).toEqual([
    { object: "app.bots", role: "tenant", what: "has the privilege TRUNCATE, which policies do not restrict" },
    { object: "app.runs", role: null, what: "has rows of organisations and no row-level security" },
    { object: "app.steps", role: "owner", what: "row-level security does not bind its owner" },
    { object: "rows.everything", role: "tenant", what: expect.stringMatching(/^reads the view with the rights of /) },
  ]);
});

test("1,000 conditions have the truth value that PostgreSQL computes", async () => {
  const texts = Array.from({ length: 1_000 }, (_, seed) => condition(numbers(seed + 1), 4));
  const { rows } = await here.admin.query<{ values: (boolean | null)[] }>(
    `select array[${texts.join(",\n")}] as values`,
  );
  const problem = newProblem(here.catalogue);
  const environment = environmentOf(problem, here.catalogue, "tenant");
  const wrong: string[] = [];
  const goals = texts.map((text, place) => {
    const { isTrue, isFalse } = asTruth(encode(expressionOf(text), environment));
    const expected = rows[0]?.values[place];
    return expected === true ? isTrue : expected === false ? isFalse : and(not(isTrue), not(isFalse));
  });
  for (const [place, goal] of goals.entries()) {
    if (goal === "false") wrong.push(texts[place] ?? "");
  }
  expect(wrong).toEqual([]);
  expect([...problem.notUnderstood]).toEqual([]);
  expect(await here.solver.solve(problem, and(...goals))).toMatchObject({ found: "some" });
});

/** The same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A random condition of constants, null among them. */
function condition(next: (below: number) => number, depth: number): string {
  const inner = () => condition(next, depth - 1);
  const integer = () => ["1", "2", "3", "null::integer"][next(4)] ?? "1";
  const label = () => ["'read'", "'write'", "'admin'", "null"][next(4)] ?? "'read'";
  if (depth === 0) return ["true", "false", "null::boolean"][next(3)] ?? "true";
  const operator = () => ["=", "<>", "<", ">", "<=", ">="][next(6)] ?? "=";
  const choices = [
    () => `(${inner()} and ${inner()})`,
    () => `(${inner()} or ${inner()})`,
    () => `(not ${inner()})`,
    () => `(${inner()} is ${["null", "not null", "true", "not true", "false", "not false", "unknown"][next(7)]})`,
    () => `(${integer()} ${operator()} ${integer()})`,
    () => `(${label()}::app.key_scope ${operator()} ${label()}::app.key_scope)`,
    () => `(${integer()} is ${next(2) ? "not " : ""}distinct from ${integer()})`,
    () => `(${integer()} ${next(2) ? "not " : ""}in (${integer()}, ${integer()}))`,
    () => `(${integer()} between ${integer()} and ${integer()})`,
    () => `(${integer()} = any (array[${integer()}, ${integer()}]))`,
    () => `(${integer()} <> all (array[${integer()}, ${integer()}]))`,
    () => `(coalesce(${integer()}, ${integer()}) = nullif(${integer()}, ${integer()}))`,
    () =>
      `(case when ${inner()} then ${inner()} when ${inner()} then ${inner()} ${next(2) ? `else ${inner()} ` : ""}end)`,
    () => `((select ${inner()}) and ${inner()})`,
  ];
  return (choices[next(choices.length)] ?? inner)();
}
