/**
 * The outcome of two calls: their answers and the rows that they changed, in a form that is equal for equal outcomes. New
 * ids, times and random bytes have other values in each run. A new id is replaced by a digest of everything that names it.
 */
import { hash } from "node:crypto";
import type { Rows, State } from "./state.ts";

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}(:\d{2})?)?)?/g;
const workingTime = /\d{2}:\d{2}:\d{2}\.\d+/g; // of runs, in the content of an export
const bytes = /(\\x)?[0-9a-f]{32,}/g;
const rounds = 3;

export type Outcome = {
  /** Lines that are equal for equal rows. */
  rows: string[];
  /** Of each call. */
  answers: string[];
  /** The same without the order of entries in the audit log, and without what an idempotent response stores of its answer. */
  withoutLogOrder(): { rows: string[]; answers: string[] };
};

/** @param answers of both calls, in the order of the sessions */
export function outcomeOf(answers: unknown[], now: Rows, { saved, meaningless, constants }: State): Outcome {
  const known = knownIn(saved, constants);
  const said = answers.map((answer) => plain(JSON.stringify(answer), known));
  const wordedWithout = (columns: Set<string>) => {
    const lines: string[] = [];
    for (const [table, rows] of now) {
      if (columns.has(table)) continue;
      const [before, after] = [new Set(saved.get(table)), new Set(rows)];
      const show = (sign: string) => (row: string) => `${sign} ${table} ${plain(shown(table, row, columns), known)}`;
      lines.push(...rows.filter((row) => !before.has(row)).map(show("+")));
      lines.push(...[...before].filter((row) => !after.has(row)).map(show("-")));
    }
    const write = labelsOf(lines, known);
    return { rows: lines.map(write).toSorted(), answers: said.map(write) };
  };
  return {
    ...wordedWithout(meaningless),
    withoutLogOrder: () => wordedWithout(new Set([...meaningless, ...logOrder])),
  };
}

/** Columns and tables. */
const logOrder = [
  ...["app.audit_log.sequence", "app.audit_chain_heads.entry_id"],
  ...["app.idempotency_records.refusal", "app.idempotency_records.reason", "app.idempotency_records.details"],
  "app.response_rows",
];

const cache = new WeakMap<Rows, Set<string>>();

/** Ids and random bytes of the saved rows, which are the same in each run. */
function knownIn(saved: Rows, constants: string): Set<string> {
  const found = cache.get(saved) ?? new Set<string>();
  if (!cache.has(saved)) {
    for (const text of [...[...saved.values()].flat(), constants]) {
      for (const match of [...text.matchAll(uuids), ...text.matchAll(bytes)]) found.add(match[0]);
    }
    cache.set(saved, found);
  }
  return found;
}

function shown(table: string, row: string, meaningless: Set<string>): string {
  const values = Object.entries(JSON.parse(row) as object).filter(([column]) => !meaningless.has(`${table}.${column}`));
  return JSON.stringify(Object.fromEntries(values));
}

const plain = (text: string, known: Set<string>): string =>
  text
    .replace(time, "<time>")
    .replace(workingTime, "<working>")
    .replace(bytes, (found) => (known.has(found) ? found : "<bytes>"));

/** Replaces each new id by a digest of the rows that name it, which name others in turn. No answer counts: it may list others. */
function labelsOf(lines: string[], known: Set<string>): (line: string) => string {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    for (const [id] of line.matchAll(uuids)) {
      if (!known.has(id)) places.set(id, [...(places.get(id) ?? []), index]);
    }
  }
  let labels = new Map([...places.keys()].map((id) => [id, "id"]));
  const write = (line: string, own?: string) =>
    line.replace(uuids, (id) => (known.has(id) ? id : id === own ? "<this>" : (labels.get(id) ?? "<id>")));
  for (let round = 0; round < rounds; round += 1) {
    labels = new Map(
      [...places].map(([id, indices]) => {
        const named = indices.map((index) => write(lines[index] ?? "", id)).toSorted();
        return [id, `<${hash("sha256", named.join("\n")).slice(0, 12)}>`];
      }),
    );
  }
  return (line) => write(line);
}
