/** Collects the service's log during a test, and prints it if the test fails. */
import { pino } from "pino";
import type { Log } from "../../src/log.ts";

const lines: string[] = [];
/** Maximum of printed lines of a failed test. */
const shown = 20;

/** Adds output of a process of the service. */
export const logged = (text: string): void => void lines.push(...text.split(/(?<=\n)/));

/** Output of the service's own processes. */
export const log = pino({ level: "warn" }, { write: logged });

/** A log whose lines a test reads. */
export function collectLog(level = "info"): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  return { log: pino({ level, base: null }, { write: (line) => void lines.push(JSON.parse(line)) }), lines };
}

/** Called by jest's environment. Prints what the service logged during a failed test. */
export function showWhenFailed({ name, test }: { name: string; test?: { name: string; errors: unknown[] } }): void {
  if (name === "test_start") lines.length = 0;
  if (name !== "test_done" || !test?.errors.length || lines.length === 0) return;
  process.stderr.write(`In "${test.name}" the service logged:\n${lines.slice(-shown).join("")}`);
}
