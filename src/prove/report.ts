/** Formats a proof for a terminal: a summary and what is not proven; in full also each exception. */
import type { Catalogue } from "./catalogue.ts";
import { type Decision, scriptOf } from "./counterexample.ts";
import type { Result, Verdict } from "./prove.ts";
import type { FunctionsProof, Unproven } from "./reach.ts";
import { titles } from "./statements.ts";
import type { Way } from "./structure.ts";
import { unlisted } from "./unproven-page.ts";

export type Proof = {
  database: string;
  at: Date;
  catalogue: Catalogue;
  results: Result[];
  ways: Way[];
  functions: FunctionsProof;
  /** With --check: what PostgreSQL decided about each example. */
  decisions?: Map<Result, Decision>;
};

export const failed = ({ results }: Proof): Result[] =>
  results.filter(({ verdict }) => verdict === "refuted" || verdict === "not proven");

export const isProven = (proof: Proof): boolean =>
  failed(proof).length === 0 && proof.ways.length === 0 && unlisted(proof.functions.unproven).length === 0;

/** For --json: examples as scripts. */
export function proofAsJson(proof: Proof): object {
  const { database, at, catalogue, results, ways } = proof;
  return {
    ...{ database, at, unbound: catalogue.unbound, ways, functions: proof.functions },
    results: results.map((result) => {
      const { example, statement, ...rest } = result;
      return {
        ...rest,
        ...{
          statement: statement.name,
          condition: statement.condition ?? null,
          exception: statement.exception ?? null,
        },
        example: example ? scriptOf(catalogue, result) : null,
        decision: proof.decisions?.get(result) ?? null,
      };
    }),
  };
}

export type Layout = {
  section: (title: string, lines: string[]) => string[];
  beside: (label: string, text: string) => string[];
};

export function proofAsText(proof: Proof, isFull: boolean, { section, beside }: Layout): string {
  const { database, at, results, ways, catalogue, functions } = proof;
  const open = failed(proof);
  const of = (verdict: Verdict) => results.filter((result) => result.verdict === verdict);
  const proven = of("proven");
  const closed = proven.filter(({ policies }) => policies.length === 0).length;
  return `${[
    `Proof of database ${database}, ${at.toISOString()}`,
    ...section("Summary", [
      ...beside(
        "Statements: ",
        `${results.length} about ${countOf(results, ({ table }) => table)} tables and ${countOf(results, ({ role }) => role)} roles`,
      ),
      ...beside("Proven:     ", `${proven.length - closed} by policies, ${closed} since no policy admits a row`),
      ...beside(
        "Excepted:   ",
        `${of("excepted").length} without a statement, ${proven.filter(({ statement }) => statement.exception).length} proven in a weaker form; each has a reason`,
      ),
      ...beside(
        "Open:       ",
        `${of("refuted").length} refuted, ${of("not proven").length} not proven, ${ways.length} ways around policies`,
      ),
      ...beside(
        "Functions:  ",
        `${functions.functions} that run as another role than the caller. Of ${functions.accesses} reads and writes ${functions.proven} are proven, ` +
          `${functions.unproven.length} places are not, ${unlisted(functions.unproven).length} of them new`,
      ),
      ...beside("Not bound:  ", `${catalogue.unbound.join(", ")}: no policy applies to superusers`),
      ...(isFull ? [] : ["--full prints each exception and place."]),
    ]),
    ...(ways.length > 0
      ? section(
          "Ways around policies",
          ways.flatMap(({ object, role, what }) => beside("", `${object}: ${role ? `${role} ` : ""}${what}`)),
        )
      : []),
    ...open.flatMap((result) => section(headingOf(result), detailsOf(proof, result, beside))),
    ...placesOf("Functions that are newly not proven", unlisted(functions.unproven), section, beside),
    ...(isFull ? placesOf("Functions that are not proven", functions.unproven, section, beside) : []),
    ...(isFull ? section("Exceptions", exceptions(results, beside)) : []),
  ].join("\n")}\n`;
}

function placesOf(title: string, unproven: Unproven[], section: Layout["section"], beside: Layout["beside"]): string[] {
  if (unproven.length === 0) return [];
  const functions = Map.groupBy(unproven, ({ function: name, role }) => `${name}, as ${role}`);
  const lines = [...functions].flatMap(([name, some]) => [
    name,
    ...some.flatMap(({ access, reason }) => beside("    ", `${access} ${reason}`.trim())),
  ]);
  return section(`${title}: ${unproven.length}`, lines);
}

const countOf = (results: Result[], by: (result: Result) => string): number => new Set(results.map(by)).size;

const headingOf = ({ verdict, role, command, table, statement }: Result): string =>
  `${verdict === "refuted" ? "Refuted" : "Not proven"}: ${role}, ${command} on ${table}: ${titles[statement.name]}`;

function detailsOf({ catalogue, decisions }: Proof, result: Result, beside: Layout["beside"]): string[] {
  const decision = decisions?.get(result);
  return [
    ...beside("Policies:   ", result.policies.join(", ") || "none; row-level security does not apply"),
    ...(result.statement.exception ? beside("Exception:  ", result.statement.exception) : []),
    ...(result.reasons.length > 0 ? beside("Unknown:    ", result.reasons.join("; ")) : []),
    ...(decision ? beside("PostgreSQL: ", decision) : []),
    ...(result.example ? scriptOf(catalogue, result).split("\n") : []),
  ];
}

/** One line for each reason, with the tables that it covers. */
function exceptions(results: Result[], beside: Layout["beside"]): string[] {
  const weaker = results.filter(({ statement }) => statement.exception !== undefined);
  const groups = Map.groupBy(
    weaker,
    ({ role, statement }) => `${role}, ${titles[statement.name]}: ${statement.exception}`,
  );
  return [...groups].flatMap(([reason, group]) => {
    const tables = [...new Set(group.filter(({ policies }) => policies.length > 0).map(({ table }) => table))];
    if (tables.length === 0) return [];
    return [
      ...beside("", reason),
      ...beside("    ", tables.length > 8 ? `${tables.length} tables` : tables.join(", ")),
    ];
  });
}
