/** The other cells of the directory: addresses of their consoles, and a search in them. (docs/directory.md#console) */
import { setTimeout as sleep } from "node:timers/promises";
import { Router } from "express";
import { Client } from "pg";
import type { Config } from "../config.ts";
import { urlAs } from "../database/urls.ts";
import { faultOf, type Log } from "../log.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { Refusal } from "./refusal.ts";

type Cell = { name: string; url: string; consoleUrl: string | null };
type Found = { kind: string; id: string; organisationId: string | null; label: string | null };

/** A cell that hangs delays the results of the others by this time. */
const timeoutMs = 2_000;
const maxTermLength = 200;

export function cellRoutes({ directory }: Pick<Config, "directory">, key: MasterKey, log: Log): Router {
  const router = Router();
  router.get("/cells", async (_request, response) => {
    const others = (await otherCells()).map(({ name, consoleUrl }) => ({ name, consoleUrl }));
    response.json({ here: directory?.cell ?? null, others });
  });
  router.get("/cells/search", async ({ query }, response) => {
    const term = String(query.q ?? "").slice(0, maxTermLength);
    const away: string[] = [];
    const cells = await otherCells().catch(() => void away.push("the directory"));
    const results = await Promise.all(
      (cells ?? []).map(async (cell) => {
        try {
          const found = await rowsOf<Found>(cell.url, search, [term]);
          return found.map((one) => ({ ...one, cell: cell.name, consoleUrl: cell.consoleUrl }));
        } catch (error) {
          log.warn({ cell: cell.name, error: faultOf(error) }, "a cell could not be searched");
          away.push(cell.name);
          return [];
        }
      }),
    );
    response.json({ results: results.flat(), away });
  });
  return router;

  async function otherCells(): Promise<Cell[]> {
    if (!directory) return [];
    const text = `select name, url, console_url as "consoleUrl" from directory.cells where name <> $1 order by added_at, name`;
    try {
      return await rowsOf<Cell>(directory.url, text, [directory.cell]);
    } catch (error) {
      log.warn({ error: faultOf(error) }, "the directory is away, other cells are not shown");
      throw new Refusal("unavailable");
    }
  }

  /** A search is rare, so each has a connection of its own. */
  async function rowsOf<Row extends object>(url: string, text: string, values: string[]): Promise<Row[]> {
    const client = new Client({
      connectionString: urlAs("operator", url, key),
      application_name: "botstead console",
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    });
    client.on("error", () => {}); // the query reports a lost connection
    try {
      await client.connect();
      await client.query("set default_transaction_read_only = on");
      return (await client.query<Row>(text, values)).rows;
    } finally {
      void Promise.race([client.end(), sleep(timeoutMs, undefined, { ref: false })]).catch(() => {});
    }
  }
}

const search = `select kind, id, organisation_id as "organisationId", label from operator.search($1)`;
