/** How long each group of the run took. `--help` states the sum for the default rows. */
const durations = new Map<string, number>();

/** Adds the time of `work` to the duration of the group. */
export async function timed<Result>(group: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    durations.set(group, (durations.get(group) ?? 0) + performance.now() - began);
  }
}

export function durationsText(): string {
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  const total = [...durations.values()].reduce((sum, ms) => sum + ms, 0);
  return `Durations: ${[...durations].map(([group, ms]) => `${group} ${seconds(ms)}`).join(", ")}; total ${seconds(total)}.`;
}
