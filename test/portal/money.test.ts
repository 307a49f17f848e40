/** Amounts of money: two digits for sums, four for costs, and never 0 for something. */
import { money } from "../../src/front/parts/money.ts";

const shown: [microCents: number, kind: "sum" | "cost", text: string][] = [
  [0, "sum", "€0"],
  [0, "cost", "€0"],
  [5_000_000_000, "sum", "€50.00"],
  [123_456_789_000, "sum", "€1,234.57"],
  [1_250_000, "sum", "€0.01"],
  [1_000_000, "sum", "€0.01"],
  [999_999, "sum", "<€0.01"],
  [1, "sum", "<€0.01"],
  [1_200_000, "cost", "€0.0120"],
  [200_000_000, "cost", "€2.0000"],
  [10_000, "cost", "€0.0001"],
  [9_999, "cost", "<€0.0001"],
];

test.each(shown)("%i micro-cents as a %s are %s", (microCents, kind, text) => {
  expect(money(microCents, kind, "en-GB")).toBe(text);
});

test("money follows the reader's language", () => {
  expect(money(999_999, "sum", "de")).toBe("<0,01\u00a0€");
});
