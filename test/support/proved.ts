/** The solver and the catalogue of a test database, for proofs (src/prove). */

import { Client } from "pg";
import { type Catalogue, readCatalogue } from "../../src/prove/catalogue.ts";
import { loadParser } from "../../src/prove/parse.ts";
import { type Solver, startSolver } from "../../src/prove/solver.ts";
import { installPackages } from "../../tools/packages.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { inProject } from "./doc-blocks.ts";
import { ofFile } from "./of-file.ts";

type Proved = { db: TestDatabase; admin: Client; solver: Solver; catalogue: Catalogue; read: () => Promise<Catalogue> };

/** A database of the file's own, whose policies and functions it may change. */
export const provedOfFile = (): Proved =>
  ofFile<Proved>(
    async (here) => {
      installPackages(inProject("tools/prove"));
      await loadParser();
      const db = await testDatabase();
      const admin = new Client({ connectionString: db.adminUrl });
      await admin.connect();
      await admin.query("set search_path = ''");
      const read = () => readCatalogue(admin);
      Object.assign(here, { db, admin, read, solver: await startSolver(), catalogue: await read() });
    },
    async ({ db, admin, solver }) => {
      solver?.close();
      await admin?.end();
      await db?.drop();
    },
  );
