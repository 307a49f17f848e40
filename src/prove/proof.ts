/** The proof of one database, and its comparison with a saved catalogue. */
import type { Client } from "pg";
import { type Catalogue, readCatalogue } from "./catalogue.ts";
import { type Comparison, compare } from "./differences.ts";
import { loadParser } from "./parse.ts";
import { provePolicies } from "./prove.ts";
import { proveFunctions } from "./reach.ts";
import type { Proof } from "./report.ts";
import { type Solver, startSolver } from "./solver.ts";
import { waysAround } from "./structure.ts";

export type Place = { database: string; at: Date; catalogue: Catalogue };

/** @param auditor a session with an empty search_path. It reads the catalogue, and no table */
export async function readPlace(auditor: Client): Promise<Place> {
  await auditor.query("begin transaction isolation level repeatable read read only");
  const { rows } = await auditor.query<Omit<Place, "catalogue">>("select current_database() as database, now() as at");
  const catalogue = await readCatalogue(auditor);
  await auditor.query("commit");
  const [where] = rows;
  if (!where) throw new Error("The database returned no row.");
  return { ...where, catalogue };
}

export const prove = ({ catalogue, ...where }: Place): Promise<Proof> =>
  withSolver(async (solver) => ({
    ...{ ...where, catalogue },
    ways: waysAround(catalogue),
    results: await provePolicies(catalogue, solver),
    functions: await proveFunctions(catalogue, solver),
  }));

export const compareWith = (before: Catalogue, { catalogue }: Place): Promise<Comparison> =>
  withSolver((solver) => compare(before, catalogue, solver));

async function withSolver<T>(use: (solver: Solver) => Promise<T>): Promise<T> {
  await loadParser();
  const solver = await startSolver();
  try {
    return await use(solver);
  } finally {
    solver.close();
  }
}
