/** The directory, for a process that serves several cells. (docs/directory.md) */
import { Pool } from "pg";
import { directoryErrorName } from "../../database/outage.ts";

export type CellState = "open" | "draining";

/** URLs without a login. */
export type Cell = {
  name: string;
  url: string;
  poolerUrl: string | undefined;
  readUrl: string | undefined;
  state: CellState;
};

/** A cell by name, and an organisation in it. */
export type Place = { organisationId: string; cell: string };

/** A failure of the directory is never the caller's: it counts as an outage. The code is PostgreSQL's or the connection's. */
class DirectoryError extends Error {
  override readonly name = directoryErrorName;
  readonly code: string | undefined;
  constructor(cause: unknown) {
    super(`The directory failed: ${(cause as Error).message}`, { cause });
    this.code = (cause as { code?: string }).code;
  }
}

/** Each method throws DirectoryError. */
export type Directory = {
  cells(): Promise<Cell[]>;
  /** @param credential as in directory.credentials */
  find(credential: Buffer): Promise<Place | undefined>;
  cellOf(organisationId: string): Promise<string | undefined>;
  /** Records where an organisation is, and a credential of it if given. */
  learn(place: Place, credential?: Buffer): Promise<void>;
  /**
   * The cell of a new organisation: the open one with the fewest. A repeated request gets the same cell.
   *
   * @param request SHA-256 of credential and Idempotency-Key
   * @param wanted the name of the cell that the caller wants
   * @returns undefined if no cell is open, or the wanted one is not
   */
  cellForCreation(request: Buffer, wanted: string | undefined): Promise<string | undefined>;
  personId(email: string): Promise<string>;
  /** Deletes the entries of organisations and of their credentials. */
  forget(organisationIds: string[]): Promise<void>;
  /** Deletes old routes, which are learned again, and creations whose responses are not replayed any more. */
  deleteOld(): Promise<void>;
  close(): Promise<void>;
};

/** Short, so that the cells can still be asked within the 5 s of the caller. */
const timeoutMs = 1_000;
const connections = 4;

/** @param url with a login */
export function openDirectory(url: string, applicationName: string): Directory {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: applicationName,
  });
  pool.on("error", () => {}); // the next statement reports a lost connection
  const rows = async <Row extends object>(name: string, text: string, values: unknown[] = []): Promise<Row[]> => {
    try {
      return (await pool.query<Row>({ name, text, values })).rows;
    } catch (error) {
      throw new DirectoryError(error);
    }
  };

  return {
    cells: () =>
      rows<Cell>(
        "cells",
        `select name, url, pooler_url as "poolerUrl", read_url as "readUrl", state from directory.cells order by added_at, name`,
      ),
    async find(credential) {
      const text = `select organisation.id as "organisationId", organisation.cell
        from directory.credentials credential
        join directory.organisations organisation on organisation.id = credential.organisation_id
        where credential.digest = $1`;
      return (await rows<Place>("find", text, [credential]))[0];
    },
    async cellOf(organisationId) {
      const text = "select cell from directory.organisations where id = $1";
      return (await rows<{ cell: string }>("cell_of", text, [organisationId]))[0]?.cell;
    },
    async learn({ organisationId, cell }, credential) {
      await rows("place", "select directory.place($1, $2)", [[organisationId], cell]);
      if (!credential) return;
      const learning = `insert into directory.credentials (digest, organisation_id) values ($1, $2)
        on conflict (digest) do update set learned_at = now()`;
      await rows("learn", learning, [credential, organisationId]);
    },
    async cellForCreation(request, wanted) {
      const choice = `with made as (
          select cell from directory.creations where request = $1
        ), chosen as (
          insert into directory.creations as creation (request, cell)
          select $1, cell.name from directory.cells cell
          where cell.state = 'open' and ($2::text is null or cell.name = $2) and not exists (select from made)
          order by (select count(*) from directory.organisations organisation where organisation.cell = cell.name), cell.name
          limit 1
          on conflict (request) do update set request = excluded.request
          returning creation.cell
        )
        select cell from made union all select cell from chosen`;
      return (await rows<{ cell: string }>("choose", choice, [request, wanted ?? null]))[0]?.cell;
    },
    async personId(email) {
      return (await rows<{ id: string }>("person", "select directory.person_id($1) as id", [email]))[0]?.id ?? "";
    },
    async forget(organisationIds) {
      await rows("forget", "delete from directory.organisations where id = any ($1)", [organisationIds]); // credentials follow
    },
    async deleteOld() {
      await rows("old", "delete from directory.credentials where learned_at < now() - interval '30 days'");
      await rows("old_creations", "delete from directory.creations where made_at < now() - interval '3 days'");
    },
    close: () => pool.end(),
  };
}
