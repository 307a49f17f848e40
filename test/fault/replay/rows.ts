/** Compares the rows of an organisation in two databases, up to ids, times and random bytes. */
import type { TestDatabase } from "../../support/database.ts";
import { difference } from "../orders/compare.ts";
import { outcomeOf } from "../orders/outcome.ts";
import { type State, saveState } from "../orders/state.ts";

/** Tables and columns that count requests, tries and hours, or depend on the set-up. */
const apart = [
  "request_minutes",
  "response_bytes",
  "request_counts",
  "api_key_days",
  "api_key_uses",
  "mails",
  "api_keys.prefix",
];

export type Comparison = {
  organisation: string;
  /** Ids of the first database, with the ids of the same things in the second, and texts that are the same. */
  ids: Map<string, string>;
};

/** The rows of a database now. */
export const stateOf = (db: TestDatabase): Promise<State> => saveState(db, "replayed", "");

export function differencesOf(was: State, is: State, { organisation, ids }: Comparison): string[] {
  const names = new Map([...ids].map(([before, now]) => [now, before]));
  const rename = (text: string) => text.replace(/[0-9a-f-]{36}/g, (id) => names.get(id) ?? id);
  const columns = apart.map((name) => `app.${name}`);
  const worded = (state: State, change: (text: string) => string) => {
    const now = new Map(
      [...state.saved].map(([table, rows]) => [
        table,
        rows.map((row) => withoutNulls(change(row))).filter((row) => row.includes(organisation)),
      ]),
    );
    const constants = [...ids.keys()].join(" ");
    const meaningless = new Set([...state.meaningless, ...columns]);
    return outcomeOf([], now, { ...state, saved: new Map(), constants, meaningless });
  };
  return difference(
    worded(was, (text) => text),
    worded(is, rename),
  );
}

/** A version that lacks a field has logged its rows without it. */
const withoutNulls = (row: string): string =>
  JSON.stringify(JSON.parse(row, (_, value) => (value === null ? undefined : value)));
