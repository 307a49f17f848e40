/** Administration of the directory: its schema, cells, and where organisations are. (docs/directory.md) */
import { readFileSync } from "node:fs";
import { escapeIdentifier } from "pg";
import { type Attribution, attributionOf } from "../../database/attribution.ts";
import { openSession } from "../../database/connections/session.ts";
import { ensureRoles } from "../../database/ensure-roles.ts";
import { urlOfDatabase, withoutLogin } from "../../database/urls.ts";
import type { MasterKey } from "../../secrets/master-key.ts";
import type { CellState } from "./directory.ts";

export type DirectoryAdministration = {
  rows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  end(): Promise<void>;
};

export async function administerDirectory(url: string): Promise<DirectoryAdministration> {
  const client = await connected(url);
  return {
    rows: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await client.query<Row>(text, values)).rows,
    end: () => client.end(),
  };
}

const connected = (url: string) => openSession(url, "botstead directory");

/** Creates the database if it is missing, the roles, and the schema. Can be repeated. */
export async function migrateDirectory(url: string, key: MasterKey): Promise<void> {
  await createMissingDatabase(url);
  const admin = await connected(url);
  try {
    await ensureRoles(admin, key);
    const name = escapeIdentifier(databaseOf(url));
    await admin.query(
      `revoke all on database ${name} from public; grant connect on database ${name} to server, operator`,
    );
    await admin.query(readFileSync(new URL("schema.sql", import.meta.url), "utf8"));
  } finally {
    await admin.end();
  }
}

const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

async function createMissingDatabase(url: string): Promise<void> {
  const admin = await connected(urlOfDatabase("postgres", url));
  try {
    const name = databaseOf(url);
    const { rowCount } = await admin.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 0) await admin.query(`create database ${escapeIdentifier(name)} template template0`);
  } finally {
    await admin.end();
  }
}

/** A cell with the URL of an administrator, and who copies its keys and why. */
type KeysOf = Attribution & { cell: string; url: string };

type NewCell = { name: string; url: string } & Partial<
  Record<"poolerUrl" | "readUrl" | "consoleUrl", string | undefined>
>;

/**
 * Registers a cell, or changes its URLs, with the organisations and people that it has. It gets the platform keys of another cell.
 *
 * @param keysOf a cell in the directory whose platform keys are copied; undefined for the first
 * @throws Error if a person has another id elsewhere
 */
export async function registerCell(
  directory: DirectoryAdministration,
  { name, url, poolerUrl, readUrl, consoleUrl }: NewCell,
  keysOf?: KeysOf,
): Promise<{ organisations: number }> {
  const shown = (of: string | undefined) => of && withoutLogin(of);
  await directory.rows("begin");
  await directory.rows(
    `insert into directory.cells (name, url, pooler_url, read_url, console_url) values ($1, $2, $3, $4, $5)
     on conflict (name) do update
     set url = excluded.url, pooler_url = excluded.pooler_url, read_url = excluded.read_url, console_url = excluded.console_url`,
    [name, withoutLogin(url), shown(poolerUrl), shown(readUrl), consoleUrl],
  );
  const cell = await administerDirectory(url);
  try {
    await cell.rows("begin transaction isolation level repeatable read read only");
    const organisations = await copyOrganisations(cell, directory, name);
    await copyPeople(cell, directory);
    await cell.rows("commit");
    if (keysOf) await copyPlatformKeys(keysOf, cell);
    await directory.rows("commit");
    return { organisations };
  } finally {
    await cell.end();
  }
}

const batchSize = 10_000;

/** @param text a query of the rows whose id is greater than $1, by id */
async function* pagesOf<Row extends { id: string }>(
  cell: DirectoryAdministration,
  text: string,
): AsyncGenerator<Row[]> {
  for (let last: string | undefined = "00000000-0000-0000-0000-000000000000"; last; ) {
    const rows: Row[] = await cell.rows<Row>(`${text} limit ${batchSize}`, [last]);
    yield rows;
    last = rows.length < batchSize ? undefined : rows.at(-1)?.id;
  }
}

/** An organisation that is arriving or departed belongs to another cell. */
const organisationsHere = `
  select organisation.id from app.organisations organisation
  where organisation.id > $1 and not exists (
    select from app.organisation_moves move where move.organisation_id = organisation.id and move.state in ('arriving', 'departed')
  )
  order by organisation.id`;

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);

async function copyOrganisations(
  cell: DirectoryAdministration,
  directory: DirectoryAdministration,
  name: string,
): Promise<number> {
  let count = 0;
  for await (const organisations of pagesOf(cell, organisationsHere)) {
    await placeOrganisations(directory, idsOf(organisations), name);
    count += organisations.length;
  }
  return count;
}

/** What a database has and the directory places in another cell, as after a restore of a backup from before a move. */
export async function misplacedOrganisations(
  directory: DirectoryAdministration,
  { name, url }: { name: string; url: string },
): Promise<{ id: string; cell: string }[]> {
  const cell = await administerDirectory(url);
  try {
    const misplaced: { id: string; cell: string }[] = [];
    const text = "select id, cell from directory.organisations where id = any ($1) and cell <> $2 order by id";
    for await (const organisations of pagesOf(cell, organisationsHere))
      misplaced.push(...(await directory.rows<{ id: string; cell: string }>(text, [idsOf(organisations), name])));
    return misplaced;
  } finally {
    await cell.end();
  }
}

async function copyPeople(cell: DirectoryAdministration, directory: DirectoryAdministration): Promise<void> {
  const text = 'select id, lower(email collate "pg_c_utf8") as email from app.people where id > $1 order by id';
  for await (const people of pagesOf<{ id: string; email: string }>(cell, text)) {
    const values = [JSON.stringify(people)];
    const given = "json_to_recordset($1) as given (id uuid, email text)";
    await directory.rows(
      `insert into directory.people (email, id) select given.email, given.id from ${given} on conflict do nothing`,
      values,
    );
    const [other] = await directory.rows<{ id: string }>(
      `select given.id from ${given} left join directory.people person on person.email = given.email and person.id = given.id
       where person.id is null limit 1`,
      values,
    );
    if (other) {
      throw new Error(
        `The address of person ${other.id} has another id in another cell. A person needs one id in all cells.`,
      );
    }
  }
}

/** Each key that is new in the cell gets an entry in the operators' log there. */
async function copyPlatformKeys(
  { cell: from, url, ...attribution }: KeysOf,
  cell: DirectoryAdministration,
): Promise<void> {
  const other = await administerDirectory(url);
  try {
    const live =
      "select name, prefix, encode(digest, 'hex') as digest, expires_at from app.platform_keys where revoked_at is null and expires_at > now()";
    await cell.rows(...attributionOf(attribution));
    await cell.rows(
      `with copied as (
         insert into app.platform_keys (name, prefix, digest, expires_at)
         select name, prefix, decode(digest, 'hex'), expires_at
         from json_to_recordset($1) as given (name text, prefix text, digest text, expires_at timestamptz)
         on conflict (digest) do nothing
         returning id, name
       )
       select operator.note_command('copy_platform_key', copied.id, jsonb_build_object('name', copied.name, 'from', $2::text))
       from copied`,
      [JSON.stringify(await other.rows(live)), from],
    );
  } finally {
    await other.end();
  }
}

/** @throws Error if the directory has no cell of that name */
export async function urlOfCell(directory: DirectoryAdministration, name: string): Promise<string> {
  const [cell] = await directory.rows<{ url: string }>("select url from directory.cells where name = $1", [name]);
  if (!cell) throw new Error("The directory has no cell of that name. Add it with: botstead cell add");
  return cell.url;
}

/** Records that the organisations are in the cell. */
export async function placeOrganisations(
  directory: DirectoryAdministration,
  ids: string[],
  cell: string,
): Promise<void> {
  await directory.rows("select directory.place($1, $2)", [ids, cell]);
}

/** @returns whether there is such a cell */
export async function setCellState(
  directory: DirectoryAdministration,
  name: string,
  state: CellState,
): Promise<boolean> {
  const text = "update directory.cells set state = $2 where name = $1 returning name";
  return (await directory.rows(text, [name, state])).length > 0;
}
