/** Time spans of the plots; step is the width of one bar in minutes. */
export const spans = [
  { name: "1h", label: "1 h", minutes: 60, step: 1 },
  { name: "6h", label: "6 h", minutes: 360, step: 5 },
  { name: "24h", label: "24 h", minutes: 1440, step: 15 },
  { name: "7d", label: "7 d", minutes: 10_080, step: 60 },
] as const;

export type Span = (typeof spans)[number];

export const spanOf = (name: string | null): Span => spans.find((span) => span.name === name) ?? spans[1];

/** The span that ends now, rounded up to a whole minute so that steps are complete. */
export function between({ minutes, step }: Span): { since: string; until: string; minutes: number } {
  const until = Math.ceil(Date.now() / 60_000) * 60_000;
  return {
    since: new Date(until - minutes * 60_000).toISOString(),
    until: new Date(until).toISOString(),
    minutes: step,
  };
}
