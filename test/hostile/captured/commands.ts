/**
 * fast-check's commands: each makes a call in both twins and compares all that the executor gets: rows, errors with every
 * field, and notices. Ids that the fixture has are compared as they are, new ones by their first appearance. Times are left out.
 */
import fc from "fast-check";
import type { DatabaseError } from "pg";
import { type Catalogue, callsOf, type Learned, type Text } from "./calls.ts";
import { secretWords } from "./fixture.ts";
import type { Twin, Twins } from "./twins.ts";

type Seen = { twin: Twin; learned: Learned; numbers: Map<string, number> };
export type Pair = {
  known: Set<string>;
  a: Seen;
  b: Seen;
  /** Whether no other executor worked meanwhile. */
  isQuiet: boolean;
  calls: { made: number; answered: number };
};

export const seenOf = (twin: Twin): Seen => ({ twin, learned: { leases: [], ids: [] }, numbers: new Map() });

export type Command = fc.AsyncCommand<object, Pair>;

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const times =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)?|"workingMs":\d+|(?<=time=|Time: )[\d.]+|captured_\d+_\d+/g;

/** Without what may differ. */
function normal(text: string, { numbers }: Pick<Seen, "numbers">, known: Set<string>): string {
  return text.replace(times, "*").replace(uuid, (id) => {
    if (known.has(id)) return id;
    if (!numbers.has(id)) numbers.set(id, numbers.size);
    return `new id ${numbers.get(id)}`;
  });
}

async function answerOf({ twin, learned }: Seen, texts: Text[]): Promise<unknown> {
  twin.notices.length = 0;
  const statements = texts.map((text) => text(learned)).join("; ");
  try {
    const results = [await twin.session.query({ text: statements, rowMode: "array" })].flat();
    const rows = results.map((result) => [result.command, result.rows]);
    for (const id of JSON.stringify(rows).match(uuid) ?? []) learned.ids.push(id);
    for (const row of results.flatMap((result) => result.rows)) learn(learned, row[0]);
    return { rows, notices: [...twin.notices] };
  } catch (error) {
    if (texts.length > 1) await twin.session.query("rollback");
    const { code, message, detail, hint, where, schema, table, column, dataType, constraint } = error as DatabaseError;
    if (!code) throw error;
    return {
      code,
      message,
      detail,
      hint,
      where,
      schema,
      table,
      column,
      dataType,
      constraint,
      notices: [...twin.notices],
    };
  }
}

function learn(learned: Learned, answer: unknown): void {
  const assignment = answer as Learned["leases"][number] | null;
  if (assignment && typeof assignment === "object" && assignment.leaseId) learned.leases.push(assignment);
}

/** @throws Error if the twins answer differently. Returns whether they answer with a result. */
async function compare({ a, b, known }: Pair, texts: Text[]): Promise<boolean> {
  const answers = await Promise.all([a, b].map((seen) => answerOf(seen, texts)));
  const [inA = "", inB = ""] = [a, b].map((seen, place) => normal(JSON.stringify(answers[place]), seen, known));
  if (inA !== inB) throw new Error(`The twins answer differently:\nA ${inA}\nB ${inB}`);
  return inA.startsWith('{"rows"');
}

class Call implements Command {
  readonly texts: Text[];
  shown = "";
  constructor(texts: Text[]) {
    this.texts = texts;
  }
  check = () => true;
  async run(_model: object, pair: Pair): Promise<void> {
    this.shown = this.texts.map((text) => text(pair.a.learned).slice(0, 200)).join("; ");
    const hasResult = await compare(pair, this.texts);
    pair.calls.made += 1;
    if (hasResult) pair.calls.answered += 1;
  }
  toString = () => this.shown || "a call";
}

/** Reads every table and view that has a name. */
class Look extends Call {
  constructor(names: string[]) {
    super([]);
    this.names = names;
  }
  readonly names: string[];
  override async run(_model: object, pair: Pair): Promise<void> {
    for (const name of this.names) await compare(pair, [() => `select * from ${name} limit 3`]);
  }
  override toString = () => "select from every table and view";
}

/** Another executor works on a run that the captured executor does not have. In twin B its texts differ. */
class OthersWork implements Command {
  readonly text: (word: string) => string;
  constructor(text: (word: string) => string) {
    this.text = text;
  }
  check = () => true;
  async run(_model: object, pair: Pair): Promise<void> {
    pair.isQuiet = false;
    const [[inA, inB] = ["", ""]] = Object.entries(secretWords);
    const outcomes = await Promise.all(
      [this.text(inA), this.text(inB)].map((text, place) =>
        (place === 0 ? pair.a : pair.b).twin.sql(text).then(
          () => "done",
          ({ code }: { code: string }) => code,
        ),
      ),
    );
    expect(outcomes[1]).toEqual(outcomes[0]);
  }
  toString = () => `others: ${this.text("heron")}`;
}

const texts: Record<string, string> = {
  text: "'$'",
  jsonb: `'{"scope": "member", "kind": "note", "subject": "$", "value": "$"}'`,
};
const others: Record<string, string> = {
  ...texts,
  interval: "'1 day'",
  "uuid[]": "'{}'",
  "app.run_error": "'internal'",
  uuid: "uuidv7()",
  model: "null",
  code: "'internal'",
};

type Length = { minLength: number; maxLength: number };

/**
 * Sequences. In half of them no other executor works meanwhile, so that every other change is the captured executor's.
 *
 * @param length.isQuiet whether no other executor works in any
 */
export function commandsOf(
  { facts }: Twins,
  catalogue: Catalogue,
  { isQuiet = false, ...length }: Length & { isQuiet?: boolean },
): fc.Arbitrary<Command[]> {
  const ends = ["runner.finish", "runner.fail", "runner.block", "runner.ask_approval"];
  const ofRuns = catalogue.runner.filter(({ names }) => names[0] === "organisation");
  const rarelyEnding = [0, 1, 2].flatMap((turn) => ofRuns.filter(({ name }) => turn === 0 || !ends.includes(name)));
  const work = rarelyEnding.flatMap(({ name, names, types }) =>
    facts.leases.map(({ organisationId, runId, leaseId }) => {
      const values = types.slice(3).map((type, place) => others[names[place + 3] ?? ""] ?? others[type] ?? "1");
      const call = `select ${name}(${[`'${organisationId}'`, `'${runId}'`, `'${leaseId}'`, ...values].join()})`;
      return (word: string) => call.replaceAll("$", word);
    }),
  );
  const calls = callsOf(facts, catalogue).map((each): Command => new Call(each));
  const look = fc.constant(catalogue.relations).map((names): Command => new Look(names));
  const working = fc.constantFrom(...work).map((text): Command => new OthersWork(text));
  const own = [
    { weight: 100, arbitrary: calls },
    { weight: 1, arbitrary: look },
  ];
  const quiet = fc.array(fc.oneof(...own), { ...length, size: "max" });
  if (isQuiet) return quiet;
  return fc.oneof(quiet, fc.array(fc.oneof(...own, { weight: 12, arbitrary: working }), { ...length, size: "max" }));
}

/** What it sends itself. Everything else is a signal without a payload. */
const ofItsOwn = ["botstead_runs x", "botstead_run_events x"];

/** Compares what the sessions were notified of. */
export async function compareNotifications({ a, b }: Pair): Promise<void> {
  await Promise.all([a, b].map(({ twin }) => twin.session.query("select 1")));
  const [inA, inB] = [a, b].map(({ twin }) =>
    twin.notifications.map(({ channel, payload }) => `${channel} ${payload}`),
  );
  expect(inB).toEqual(inA);
  expect(inA?.filter((each) => each !== "botstead_runs " && !ofItsOwn.includes(each))).toEqual([]);
}
