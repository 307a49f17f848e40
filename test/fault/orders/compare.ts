/** Compares the outcome of two calls with the outcomes of serial orders. */
import type { Outcome } from "./outcome.ts";

type Worded = Pick<Outcome, "rows" | "answers">;

const isSameRows = (a: Worded, b: Worded): boolean => a.rows.join("\n") === b.rows.join("\n");
export const isSame = (a: Worded, b: Worded): boolean =>
  isSameRows(a, b) && a.answers.join("\n") === b.answers.join("\n");

/**
 * At READ COMMITTED a call that overwrites nothing of the other may be authenticated, and word its answer, before the commit
 * of the other, and commit after it. So apart from the order of the audit log, the rows equal a serial order, and each call has its
 * status there. An answer may equal the other order, and a refusal may have the reason of another check.
 */
export function isReadEarlier(found: Outcome, allowed: Outcome[]): boolean {
  const is = found.withoutLogOrder();
  const serials = allowed.map((each) => each.withoutLogOrder());
  return serials.some(
    (serial) =>
      isSameRows(serial, is) &&
      is.answers.every(
        (answer, index) =>
          headOf(answer) === headOf(serial.answers[index]) &&
          (headOf(answer) === "refused" || serials.some((each) => each.answers[index] === answer)),
      ),
  );
}

/** Status of an answer of the API, or that it is a refusal, for whichever reason. Other answers are all head. */
function headOf(answer = ""): string {
  if (answer.startsWith('[{"refusal":')) return "refused";
  return answer.match(/^\[\{"status":\d+\}/)?.[0] ?? answer;
}

/** The lines that only one of them has. */
export function difference(wanted: Worded, is: Worded): string[] {
  const linesOf = ({ rows, answers }: Worded) => [
    ...rows,
    ...answers.map((answer, index) => `answer ${index + 1}: ${answer}`),
  ];
  const [a, b] = [linesOf(wanted), linesOf(is)];
  return [...without(a, b).map((line) => `wanted ${line}`), ...without(b, a).map((line) => `is     ${line}`)];
}

/** The lines that the other list does not have, or not as often. */
function without(lines: string[], others: string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
