/** Answers of calls, as their callers see them. */

/** Answers after which a caller repeats its call: another call had a lock for too long, or was the same request. */
export function isBusy(answer: unknown): boolean {
  const { failed } = answer as { failed?: string };
  const [head] = Array.isArray(answer) ? answer : [];
  return failed === "55P03" || head?.refusal === "idempotency_in_progress";
}

/** The rows. An answer of api.handle as JSON, without what says no more than its credential. */
export function answerIn(rows: Record<string, unknown>[]): unknown {
  const [{ handle } = {}] = rows;
  if (typeof handle !== "string") return rows;
  const [head = "", ...body] = handle.split("\n");
  const { keyId, organisationId, ratePerMinute, ...said } = JSON.parse(head);
  return [Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null)), ...body.map(parsed)];
}

const parsed = (line: string): unknown => (line ? JSON.parse(line) : "");
