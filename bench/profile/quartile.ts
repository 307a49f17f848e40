/** The lower quartile: the time of a step without disturbance. NaN for an empty list. */
export function lowerQuartile(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}
