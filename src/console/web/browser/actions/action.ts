/**
 * What an operator can do, as data: what it is called, what it brings about, and what it asks for. Each is a mutation that
 * demands a reason and is written down with it; whether it may be done is decided where it is done.
 */
import type { Shown } from "../html.ts";

export type Values = Record<string, unknown>;

export type Field = { name: string; label: string; hint?: string } & (
  | { kind: "text"; optional?: boolean }
  | { kind: "number" | "euros"; least: number; most?: number; optional?: boolean }
  | { kind: "moment"; optional?: boolean }
  | { kind: "choice"; options: [value: string, words: string][] }
);

export type Action = {
  /** The mutation's. */
  name: string;
  title: string;
  /** What will be so when it is done. */
  consequence: string;
  /** It can't be undone, or stops somebody's work. */
  dangerous?: boolean;
  fields?: Field[];
  /** What every use of it says, beside what is asked. */
  always?: Values;
  /** What came of it. */
  // biome-ignore lint/suspicious/noExplicitAny: each mutation has a result of its own
  done: (result: any) => Shown;
};

/** A mutation takes one input, whose type is named for it, and answers with a result. */
export const mutationOf = ({ name }: Action): string => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  return `mutation Act($input: ${type}!) { ${name}(input: $input) { result } }`;
};
