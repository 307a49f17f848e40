/**
 * Memory use after garbage collection. Under load the memory of a process varies between 130 and 320 MB, because V8
 * collects late and keeps freed memory. A leak of 1 MB a minute is invisible in that. So the test forces a full
 * collection a few times; the memory that remains varies by a few megabytes in half an hour.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { signalProcess } from "../../support/process-tree.ts";
import { asForUse } from "../../support/program.ts";
import { eventually } from "../../support/worker.ts";

/** Environment that makes the memory of a process measurable. */
export const weighable = {
  NODE_OPTIONS: `${asForUse.NODE_OPTIONS} --import=${new URL("./weigh.ts", import.meta.url).href}`,
};

export type MemoryUse = Record<string, number>;

/**
 * @param folder working directory of the processes
 * @returns MB by process name, without the processes that did not respond
 */
export async function weigh(
  folder: string,
  processes: Record<string, { pid: number } | undefined>,
): Promise<MemoryUse> {
  const megabytes: MemoryUse = {};
  for (const [name, process] of Object.entries(processes)) {
    // Three times, because requests in progress also occupy memory.
    for (let each = 0; process && each < 3; each += 1) {
      const weight = await weighOnce(folder, process.pid);
      if (weight) megabytes[name] = Math.min(weight, megabytes[name] ?? weight);
    }
  }
  return megabytes;
}

async function weighOnce(folder: string, pid: number): Promise<number> {
  const file = join(folder, `weight.${pid}`);
  let weight = 0;
  try {
    rmSync(file, { force: true });
    signalProcess(pid, "SIGUSR2");
    await eventually(async () => {
      weight = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
      return weight > 0;
    });
  } catch {} // the process ended or is too busy
  return weight;
}
