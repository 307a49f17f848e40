/**
 * What processes hold on to. Under load a process weighs 130 MB at one moment and 320 at another, since V8 collects when it
 * likes and keeps what it has collected for a next time: a leak of a megabyte a minute is nowhere in that. So a few times each is
 * told to collect all that it can, and what it still weighs then moves by a few megabytes in half an hour.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { asForUse } from "../../support/program.ts";
import { eventually } from "../../support/worker.ts";

/** With which a process can be weighed. */
export const weighable = {
  NODE_OPTIONS: `${asForUse.NODE_OPTIONS} --import=${new URL("./weigh.ts", import.meta.url).href}`,
};

export type Held = Record<string, number>;

/**
 * @param folder in which they run
 * @returns MB by the name of each; one that does not tell is not among them
 */
export async function weigh(folder: string, processes: Record<string, { pid: number } | undefined>): Promise<Held> {
  const held: Held = {};
  for (const [name, process] of Object.entries(processes)) {
    // Thrice: what is under way at the moment is held as well.
    for (let each = 0; process && each < 3; each += 1) {
      const weight = await weighOnce(folder, process.pid);
      if (weight) held[name] = Math.min(weight, held[name] ?? weight);
    }
  }
  return held;
}

async function weighOnce(folder: string, pid: number): Promise<number> {
  const file = join(folder, `weight.${pid}`);
  let weight = 0;
  try {
    rmSync(file, { force: true });
    process.kill(pid, "SIGUSR2");
    await eventually(async () => {
      weight = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
      return weight > 0;
    });
  } catch {} // it is gone, or does not get round to it
  return weight;
}
