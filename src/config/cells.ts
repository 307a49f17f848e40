/** Settings of several cells behind one API. */
import { z } from "zod";
import { minConnectionsOfCell } from "../database/connections/shares.ts";
import { numberIn, postgresUrl } from "./kinds.ts";

/** As the directory checks it. */
export const cellName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 lower-case letters, digits and hyphens");

export const cellSettings = z.object({
  DIRECTORY_URL: postgresUrl,
  CELL: cellName.optional(),
  CELL_CONNECTIONS: numberIn(
    minConnectionsOfCell,
    100_000,
    `must be a number of connections, ${minConnectionsOfCell} or more`,
  ).default(60),
});

export type CellConfig = {
  /**
   * The directory, the name of this process's own cell in it, and how many connections an API process opens to all cells together.
   * Unset: there is one cell.
   */
  directory: { url: string; cell: string; maxConnections: number } | undefined;
};

/** Settings that need others, a sentence each. */
export function cellFaults(given: NodeJS.ProcessEnv): string[] {
  const faults: string[] = [];
  if (given.DIRECTORY_URL && !given.CELL) {
    faults.push("CELL must be set when DIRECTORY_URL is: it says which cell DATABASE_URL is.");
  }
  if (given.CELL && !given.DIRECTORY_URL) {
    faults.push("DIRECTORY_URL must be set when CELL is: it says where the directory is.");
  }
  return faults;
}

export function cellConfig(value: z.infer<typeof cellSettings>): CellConfig {
  const { DIRECTORY_URL: url, CELL: cell, CELL_CONNECTIONS: maxConnections } = value;
  return { directory: url && cell ? { url, cell, maxConnections } : undefined };
}
