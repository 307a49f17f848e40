/**
 * The calls of a captured executor, as text of SQL: every function of schema runner with valid and mutated arguments, statements
 * on everything that the catalogue names, settings, channels and transactions. An argument that depends on earlier answers is
 * a reference, such as the lease of the nth run that it leased.
 */
import fc from "fast-check";
import { escapeLiteral } from "pg";
import { type Facts, type Lease, secretWords } from "./fixture.ts";
import { plain, settings, statements, values } from "./statements.ts";
import { executorId } from "./twins.ts";

/** What the executor has learned: runs that it leased, and ids in answers. */
export type Learned = { leases: (Lease & { taint: boolean })[]; ids: string[] };

/** Text with its references resolved. */
export type Text = (learned: Learned) => string;

export type Function = { name: string; names: string[]; types: string[] };
export type Catalogue = { runner: Function[]; relations: string[]; functions: Function[] };

const literal = (value: unknown) => (value === null ? "null" : escapeLiteral(String(value)));
const fixed = (values: unknown[]): fc.Arbitrary<Text> =>
  fc.constantFrom(...values.map((value) => () => literal(value)));
/** Mostly a value that the function accepts. */
const mostly = (accepted: unknown[], others: unknown[]): fc.Arbitrary<Text> =>
  fc.oneof({ weight: 24, arbitrary: fixed(accepted) }, { weight: 1, arbitrary: fixed(others) });
/** The lease at this place, the latest first: most earlier ones have ended. */
const leaseAt = ({ leases }: Learned, at: number) => leases[leases.length - 1 - (at % (leases.length || 1))];

/** Outside text, which a tainted run carries wherever it is written. */
export const ink = "INK";
const [guess = ""] = Object.keys(secretWords);
const words = ["harbour", `harbour ${guess}`, guess, Object.values(secretWords)[0], "captured", "recall", "of others"];
const hostile = ["", " ", "%", "'", "x".repeat(40_000), "Straße ﬀ", "internal", "../..", "{}", null];

/** A text that a call writes to the run of this lease contains ink if the run is tainted. */
const text = (at: number | undefined): fc.Arbitrary<Text> =>
  fc.oneof(
    {
      weight: 24,
      arbitrary: fc.tuple(fc.constantFrom(...words), fc.nat(20)).map(
        ([word, n]): Text =>
          (learned) => {
            return literal(
              at !== undefined && leaseAt(learned, at)?.taint
                ? `${ink} ${word} ${n}`
                : `${word} ${n % 4 ? n : ""}`.trim(),
            );
          },
      ),
    },
    { weight: 1, arbitrary: fixed(hostile) },
  );

/** Whose lease a call names: mostly its own, sometimes with one wrong part, or another's with a neighbouring lease. */
const kinds = [...Array(8).fill("own"), "mutated", "mutated", "foreign", "foreign"] as const;
const fields = ["organisationId", "runId", "leaseId"] as const;
/** A neighbouring id, which nothing has. */
const besides = (id: string) => id.slice(0, -1) + (Number.parseInt(id.slice(-1), 16) ^ 1).toString(16);

export function callsOf(facts: Facts, { runner, relations, functions }: Catalogue): fc.Arbitrary<Text[]> {
  const anyId: fc.Arbitrary<Text> = fc.oneof(
    fixed(facts.ids),
    fixed(facts.bots),
    fixed([null, executorId, "00000000-0000-0000-0000-000000000000", "no uuid"]),
    fc.nat().map(
      (n): Text =>
        ({ ids }) =>
          literal(ids[n % (ids.length || 1)] ?? null),
    ),
  );
  const ofLease =
    (field: keyof Lease, at: number): Text =>
    (learned) =>
      literal(leaseAt(learned, at)?.[field] ?? null);
  const ofForeign = (field: keyof Lease, lease: Lease) => (field === "leaseId" ? besides(lease.leaseId) : lease[field]);
  const part = (field: keyof Lease, at: number, isMutated: boolean, foreign?: Lease): fc.Arbitrary<Text> => {
    if (foreign) return fixed([ofForeign(field, foreign)]);
    if (!isMutated) return fc.constant(ofLease(field, at));
    return fc.oneof(
      { weight: 3, arbitrary: fixed(facts.leases.map((lease) => ofForeign(field, lease))) },
      { weight: 1, arbitrary: fc.nat(40).map((other) => ofLease(field, other)) },
      { weight: 1, arbitrary: anyId },
    );
  };
  const json = (at: number | undefined): fc.Arbitrary<Text> =>
    fc
      .record({
        scope: fc.constantFrom("organisation", "bot", "member", "member", "person"),
        kind: fc.constantFrom("note", "note", "health"),
        subject: text(at),
        value: text(at),
        more: fc.constantFrom(
          {},
          {},
          { provenance: "run", taint: false },
          { confidence: 0.5 },
          { validTo: "tomorrow" },
        ),
      })
      .map(
        ({ scope, kind, subject, value, more }): Text =>
          (learned) =>
            `jsonb_build_object('scope', '${scope}', 'kind', '${kind}', 'subject', ${subject(learned)}, 'value', ${value(learned)}) || '${JSON.stringify(more)}'`,
      );
  const argument = (name: string, type: string, at: number | undefined): fc.Arbitrary<Text> => {
    if (name === "executor")
      return fc.oneof({ weight: 24, arbitrary: fixed([executorId]) }, { weight: 1, arbitrary: anyId });
    if (name === "bot") return fc.oneof({ weight: 3, arbitrary: fixed(facts.bots) }, { weight: 1, arbitrary: anyId });
    if (name === "model") return mostly([null], ["captured", "no such"]);
    if (name === "code") return mostly(["executor_failed", "refused", "internal"], ["budget_time", null]);
    if (type === "text") return text(at);
    if (type === "jsonb" || type === "json") return json(at);
    if (type === "uuid") return anyId;
    if (type === "uuid[]")
      return fc.array(anyId, { maxLength: 2 }).map(
        (ids): Text =>
          (at) =>
            `array[${ids.map((id) => id(at))}]::uuid[]`,
      );
    if (type === "text[]")
      return mostly(["{captured}", `{captured,recall,"of others"}`], ["{}", `{${"x".repeat(200)}}`, null]);
    // None so short that the twins could differ in what has ended.
    if (type === "interval") return mostly(["10 minutes", "1 hour"], ["3 days", "-1 second", "infinity", null]);
    if (type === "integer" || type === "bigint") return mostly([1, 5, 200], [0, -1, 2_147_483_647, null]);
    if (type === "boolean") return fixed([true, false, null]);
    return fixed([null, "x", "1"]);
  };
  const callOf = ({ name, names, types }: Function): fc.Arbitrary<Text> =>
    fc
      .tuple(fc.oneof(fc.nat(2), fc.nat(40)), fc.constantFrom(...kinds), fc.constantFrom(0, 1, 2))
      .chain(([at, kind, mutated]) => {
        const isOfRun = names[0] === "organisation";
        const foreign = kind === "foreign" ? facts.leases[at % facts.leases.length] : undefined;
        const values = names.map((each, place) =>
          isOfRun && place < 3
            ? part(fields[place] ?? "runId", at, kind === "mutated" && place === mutated, foreign)
            : argument(each, types[place] ?? "", isOfRun ? at : undefined),
        );
        return fc.tuple(...values).map(
          (given): Text =>
            (learned) =>
              `select ${name}(${given.map((value, place) => `${value(learned)}${/^(un)?known|any|record|^app\./.test(types[place] ?? "") ? "" : `::${types[place]}`}`)}) as answer`,
        );
      });
  const weights: Record<string, number> = {
    ...{ lease_run: 16, heartbeat: 5, propose_memory: 10, start_run: 8, search_memories: 8, keyed_step: 6 },
    ...{ finish: 2, block: 1, fail: 2, ask_approval: 1, priced_models: 1, deregister: 1 },
  };
  const ofRunner = fc.oneof(
    ...runner.map((each) => ({ weight: weights[each.name.slice(7)] ?? 4, arbitrary: callOf(each) })),
  );
  const ofCatalogue = fc.oneof(
    fc.tuple(fc.constantFrom(...relations), fc.constantFrom(...statements)).map(
      ([relation, statement]): Text =>
        () =>
          statement.replaceAll("$", () => relation),
    ),
    fc.constantFrom(...functions).chain(callOf),
    fc.constantFrom(...plain).map(
      (each): Text =>
        () =>
          each,
    ),
    fc.constantFrom(...["role", "session_authorization", ...settings]).chain((name) =>
      fc.oneof(fixed(values), anyId).map(
        (value): Text =>
          (learned) =>
            `select set_config('${name}', ${value(learned)}, false)`,
      ),
    ),
  );
  const one = fc.oneof({ weight: 6, arbitrary: ofRunner }, { weight: 1, arbitrary: ofCatalogue });
  const block = fc.tuple(fc.array(one, { minLength: 1, maxLength: 3 }), fc.constantFrom("commit", "rollback"));
  return fc.oneof(
    { weight: 12, arbitrary: one.map((each) => [each]) },
    { weight: 1, arbitrary: block.map(([inside, end]): Text[] => [() => "begin", ...inside, () => end]) },
  );
}
