/** What binds a value to the organisation of the caller. */
import type { Frame } from "./frames.ts";
import type { Access, Query } from "./queries-of-bodies.ts";
import type { Solver } from "./solver.ts";
import { and, equal, not, or, type Scalar } from "./terms.ts";

/**
 * What binds a value: the caller's organisation or the row of the trigger, arguments of the function, only the policy while a
 * request has set its organisation, or nothing.
 */
export type Bound = { by: "caller" | "policy" | "none" } | { by: "argument"; names: string[] };

type Question = { conditions: string[]; value: Scalar };

/** Asks about all values at once first, since most are bound. */
export async function boundsOf(
  solver: Solver,
  frame: Frame,
  { accesses }: Query,
  questions: Question[],
): Promise<Bound[]> {
  const { problem, own, trusted, given, parameters } = frame;
  const broken = ({ conditions, value }: Question, more: string[]): string => {
    const sources = [
      own,
      ...[...trusted, ...more].flatMap((name) => parameters[name] ?? []),
      ...credentialRows(accesses, frame),
    ];
    const isBound = or(
      value.isNull,
      ...sources.map((source) => and(not(source.isNull), equal(value.value, source.value))),
    );
    return and(...conditions, not(isBound));
  };
  const none = async (goal: string): Promise<boolean> =>
    goal === "false" || (await solver.solve(problem, goal)).found === "none";
  const all = async (some: Question[], more: string[]): Promise<boolean> =>
    none(or(...some.map((each) => broken(each, more))));
  if (await all(questions, [])) return questions.map(() => ({ by: "caller" }));
  const one = async (question: Question): Promise<Bound> => {
    if (questions.length > 1 && (await none(broken(question, [])))) return { by: "caller" };
    if (given.length > 0 && (await none(broken(question, given)))) {
      const needed: string[] = [];
      for (const name of given)
        if (
          !(await none(
            broken(
              question,
              given.filter((each) => each !== name),
            ),
          ))
        )
          needed.push(name);
      return { by: "argument", names: needed.length > 0 && (await none(broken(question, needed))) ? needed : given };
    }
    return { by: (await none(and(broken(question, []), not(own.isNull)))) ? "policy" : "none" };
  };
  const bounds: Bound[] = [];
  for (const question of questions) bounds.push(await one(question));
  return bounds;
}

/** Organisations of rows that are found by the digest of a secret that the caller presented. */
function credentialRows(accesses: Access[], { parameters }: Frame): Scalar[] {
  const presented = Object.values(parameters).filter(({ type }) => type === "bytea");
  return accesses.flatMap(({ row, command, conditions }) => {
    if (command === "insert" || !row.columns.organisation_id) return [];
    const digests = Object.entries(row.columns).filter(([name, { type }]) => type === "bytea" && /digest$/.test(name));
    const isFound = digests.some(([, digest]) =>
      presented.some(({ value }) => conditions.some((condition) => condition.includes(`(= ${digest.value} ${value})`))),
    );
    return isFound ? [row.columns.organisation_id] : [];
  });
}
