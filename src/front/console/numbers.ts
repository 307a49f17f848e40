/** Formats numbers with their units. */
import { money } from "../parts/money.ts";

const grouped = new Intl.NumberFormat("en-GB");
const short = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });

/** GraphQL sends PostgreSQL's bigint as a string. */
export type Count = number | string | null | undefined;

export const count = (value: Count): string => (value == null ? "–" : grouped.format(Number(value)));

export const compact = (value: number): string => short.format(value);

export const ms = (value: Count): string => {
  if (value == null) return "–";
  const number = Number(value);
  return number < 1000 ? `${Math.round(number)} ms` : `${Number((number / 1000).toFixed(number < 10_000 ? 1 : 0))} s`;
};

/** Micro-cents (10⁻⁸ euros) as euros: the sum of a period, or its limit. */
export const euros = (microCents: Count): string => amount(microCents, "sum");

/** Micro-cents as euros: what a run or a step costs. */
export const cost = (microCents: Count): string => amount(microCents, "cost");

const amount = (microCents: Count, kind: "sum" | "cost") =>
  microCents == null ? "–" : money(Number(microCents), kind, "en-GB");

export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`;

const units: [seconds: number, unit: string][] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

/** In the largest fitting unit, for example 3 min. */
export function duration(seconds: number): string {
  const [size, unit] = units.find(([each]) => seconds >= each) ?? [1, "s"];
  return `${Number((seconds / size).toFixed(seconds >= 3_600 ? 1 : 0))} ${unit}`;
}
