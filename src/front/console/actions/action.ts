/**
 * Operator actions as data: title, consequence and fields. Each is a mutation that requires and logs a reason.
 * The database checks permissions and state.
 */
import type { ComponentChildren as Shown } from "preact";
import type { OneTime } from "../../parts/one-time.tsx";
import type { Fact } from "../../parts/page.tsx";

export type Values = Record<string, unknown>;

export type Field = {
  name: string;
  label: string;
  hint?: string;
  /** Filled in. */
  present?: string | null | undefined;
} & (
  | { kind: "text"; optional?: boolean }
  | { kind: "number" | "euros"; min: number; max?: number; optional?: boolean }
  | { kind: "moment"; optional?: boolean }
  | { kind: "choice"; options: [value: string, label: string][] }
);

export type Action = {
  /** Name of the mutation. */
  name: string;
  title: string;
  /** Shown before the operator confirms. */
  consequence: string;
  /** Irreversible, or interrupts work in progress. */
  dangerous?: boolean;
  fields?: Field[];
  /** Shown beside the values of the target. A field has its own present value. */
  present?: Fact[];
  /** Constant input, in addition to the fields. */
  constants?: Values;
} & Success;

// biome-ignore lint/suspicious/noExplicitAny: each mutation has its own result
type Result = any;

/** A message after success, or a secret of the result that is shown once. */
type Success = { done: (result: Result) => Shown } | { oneTime: (result: Result) => Omit<OneTime, "title"> };

/** By convention a mutation takes one input of type <Name>Input and returns one result. */
export const mutationOf = ({ name }: Action): string => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  return `mutation Action($input: ${type}!) { ${name}(input: $input) { result } }`;
};
