/**
 * Finds the cell of a credential: in the memory of this process, in the directory, or by asking all cells. An answer of a cell
 * is written into the directory, so a new credential needs no entry. A credential that this process knows needs no directory.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { DatabaseApi } from "../api/one-database.ts";
import { callOrganisationOf } from "../api/own-calls.ts";
import { DeadlineError } from "../api/request.ts";
import { faultOf, type Log } from "../log.ts";
import type { Directory, Place } from "./directory/directory.ts";
import type { OpenCells } from "./open-cells.ts";

export type Route = {
  cell: DatabaseApi;
  /** Whether it was looked up for this call. */
  isFresh: boolean;
};

export type Routes = {
  /** The route that this process knows. */
  cached(credential: Buffer): Route | undefined;
  /**
   * The route by the directory or the cells.
   *
   * @param until the deadline (performance.now)
   * @returns undefined if no cell knows the credential
   * @throws Error if a cell that may know it is away
   */
  lookUp(credential: Buffer, until: number): Promise<Route | undefined>;
  /**
   * Waits until a cell serves the organisation of a credential, which is between two cells. One query at a time asks for all calls
   * with this credential: at a high rate, the calls that wait would otherwise keep the cells and the directory busy.
   *
   * @throws Error if none serves it until the deadline
   */
  untilArrived(credential: Buffer, until: number): Promise<void>;
  /** The cached cell of an organisation. */
  cellOf(organisationId: string): DatabaseApi | undefined;
  /** Also writes it into the directory. */
  learn(place: Place): Promise<void>;
};

/** A move takes milliseconds from its commit to the entry in the directory and to its activation. */
const movePauseMs = 30;
const maxEntries = 20_000;

export function makeRoutes(cells: OpenCells, directory: Directory, log: Log): Routes {
  const organisations = new LRUCache<string, string>({ max: maxEntries });
  const places = new LRUCache<string, Route>({ max: maxEntries });
  const arriving = new Map<string, Promise<void>>();

  function cached(credential: Buffer): Route | undefined {
    const organisationId = organisations.get(credential.toString("latin1"));
    return organisationId === undefined ? undefined : places.get(organisationId);
  }

  async function store({ organisationId, cell }: Place, credential?: Buffer): Promise<DatabaseApi> {
    const api = await cells.get(cell);
    places.set(organisationId, { cell: api, isFresh: false });
    if (credential) organisations.set(credential.toString("latin1"), organisationId);
    return api;
  }

  async function lookUp(credential: Buffer, until: number): Promise<Route | undefined> {
    const known = await directory.find(credential).catch((error: unknown) => {
      log.warn({ error: faultOf(error) }, "the directory is away, all cells are asked");
      return undefined;
    });
    if (known) return { cell: await store(known, credential), isFresh: true };
    const place = await askCells(cells, credential, until);
    if (!place) return undefined;
    const cell = await store(place, credential);
    await directory.learn(place, credential).catch((error: unknown) => {
      log.warn({ error: faultOf(error) }, "the directory did not learn a credential, a later use repeats it");
    });
    return { cell, isFresh: true };
  }

  async function askUntilArrived(credential: Buffer, until: number): Promise<void> {
    for (; ; await sleep(movePauseMs)) {
      if (performance.now() > until) throw new DeadlineError();
      const route = await lookUp(credential, until);
      if (!route || (await callOrganisationOf(route.cell.pools, credential, until)).organisationId) return;
    }
  }

  return {
    lookUp,
    async untilArrived(credential, until) {
      const name = credential.toString("latin1");
      const asking = arriving.get(name);
      if (asking) return void (await asking.catch(() => {})); // the call is repeated, and asks itself if this has failed
      const own = askUntilArrived(credential, until).finally(() => arriving.delete(name));
      arriving.set(name, own);
      await own;
    },
    cached,
    cellOf: (organisationId) => places.get(organisationId)?.cell,
    async learn(place) {
      await directory.learn(place);
      await store(place);
    },
  };
}

/**
 * The first cell that knows the credential; cells that are away do not matter then. They are asked again while its
 * organisation is between two cells.
 */
async function askCells(cells: OpenCells, credential: Buffer, until: number): Promise<Place | undefined> {
  for (; ; await sleep(movePauseMs)) {
    if (performance.now() > until) throw new DeadlineError();
    const queries = [...(await cells.all())].map(async ([cell, { pools }]) => {
      return { cell, ...(await callOrganisationOf(pools, credential, until)) };
    });
    const found = await Promise.any(queries.map(placeOf)).catch(() => undefined);
    if (found) return found;
    const answers = await Promise.all(queries); // fails if one is away
    if (!answers.some(({ isElsewhere }) => isElsewhere)) return undefined;
  }
}

async function placeOf(query: Promise<{ cell: string; organisationId: string | null }>): Promise<Place> {
  const { cell, organisationId } = await query;
  if (!organisationId) throw new Error("The cell does not know the credential.");
  return { cell, organisationId };
}
