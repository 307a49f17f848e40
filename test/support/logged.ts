/** What the service logs while a test runs: kept, and shown when that test fails. */
import { addEventHandler } from "jest-circus";
import { pino } from "pino";

const lines: string[] = [];
/** Of a test that failed the last are shown. */
const shown = 20;

/** Takes what a process of the service writes to its output. */
export const logged = (text: string): void => void lines.push(...text.split(/(?<=\n)/));

/** What the service's own processes write to their output. */
export const log = pino({ level: "warn" }, { write: logged });

export function showWhenFailed(): void {
  addEventHandler((event) => {
    if (event.name === "test_start") lines.length = 0;
    if (event.name !== "test_done" || event.test.errors.length === 0 || lines.length === 0) return;
    process.stderr.write(`In "${event.test.name}" the service logged:\n${lines.slice(-shown).join("")}`);
  });
}
