/**
 * Keeps personal data out of the job queue. graphile-worker stores the message of a job's error, and such messages quote mail
 * addresses or rows. So the queue gets only the kind of the fault, as the log does.
 */
import type { TaskList } from "graphile-worker";
import { faultOf } from "../log.ts";

/** Wraps tasks: an error's message is replaced by its kind, and the error becomes the cause. */
export function withRedactedErrors(tasks: TaskList): TaskList {
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

/** For example "Error EENVELOPE 450". */
function kindOf(error: unknown): string {
  const { name, code, responseCode } = faultOf(error);
  return [name ?? "DatabaseError", code, responseCode].filter((part) => part !== undefined).join(" ");
}
