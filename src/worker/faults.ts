/**
 * What the queue keeps of a job that failed. graphile-worker stores what the error says, for as long as the job lives, and a
 * mail server quotes an address, the database a row: so it is told the kind of the fault, as the log is.
 */
import type { TaskList } from "graphile-worker";
import { faultOf } from "../log.ts";

/** The same tasks; what they throw says no more than the queue may keep, and has the error itself as its cause. */
export function tellingKindsAlone(tasks: TaskList): TaskList {
  const wrapped = Object.entries(tasks).map(([name, task]): [string, TaskList[string]] => [
    name,
    async (payload, helpers) => {
      try {
        return await task?.(payload as never, helpers);
      } catch (error) {
        throw new Error(kindOf(error), { cause: error });
      }
    },
  ]);
  return Object.fromEntries(wrapped);
}

/** As "Error EENVELOPE 450". */
function kindOf(error: unknown): string {
  const { name, code, responseCode } = faultOf(error);
  return [name ?? "DatabaseError", code, responseCode].filter((part) => part !== undefined).join(" ");
}
