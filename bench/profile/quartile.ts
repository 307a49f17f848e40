/** A quarter of the values are less: what a step takes when nothing comes between. Not a number where there are none. */
export function lowerQuartile(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}
