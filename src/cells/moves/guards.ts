/** Hides an organisation that is in another cell, and stops its writes. Both exist only while a move is under way. */
import { type Cell, define, finds, type Move } from "./cell.ts";

export const nameOf = (organisation: string) => `botstead_move_${organisation.replaceAll("-", "")}`;

type Table = { quoted: string; key: string };
const tablesOf = (cell: Cell) => cell.rows<Table>("select quoted, key from service.moved_tables");

const policies = "select from pg_policy where polname = 'botstead_move'";

/** Creates the policies that hide rows of absent organisations. (sql/service/absence.sql) */
export async function hide(cell: Cell): Promise<void> {
  while (await finds(cell, "select from service.tables_without_hiding")) {
    await define(cell, "select service.hide_next_table()");
  }
}

const others = ({ organisation }: Move) =>
  `select from service.absences_under_way where organisation_id <> '${organisation}'`;

/** Drops the policies, unless another move or a deletion needs them. */
export async function reveal(cell: Cell, move: Move): Promise<void> {
  while (!(await finds(cell, others(move))) && (await finds(cell, policies))) {
    await define(cell, `select service.reveal_next_table('${move.organisation}')`);
  }
}

/**
 * Drops the policies, and then records the end of the move, so that one which is killed between can be ended again. Moves that end
 * at once leave the policies to each other: the lock puts their records in order, and the last one drops them.
 *
 * @param record a statement with the organisation as $1
 */
export async function revealAndRecord(cell: Cell, move: Move, record: string): Promise<void> {
  for (let isEnded = false; !isEnded; ) {
    await reveal(cell, move);
    await cell.rows("begin");
    await cell.rows("lock app.organisation_moves in share row exclusive mode");
    isEnded = (await finds(cell, others(move))) || !(await finds(cell, policies));
    if (isEnded) await cell.rows(record, [move.organisation]);
    await cell.rows("commit");
  }
}

/** Creating a trigger waits for transactions that have written to the table: all later ones have fired it. */
export async function startStopping({ source, organisation }: Move): Promise<void> {
  const name = nameOf(organisation);
  for (const { quoted, key } of await tablesOf(source)) {
    const stop = (suffix: string, events: string, row: string) =>
      `create or replace trigger ${name}${suffix} before ${events} on app.${quoted}
       for each row when (${row}.${key} = '${organisation}') execute function triggers.tg_stop_writes('${organisation}')`;
    await define(source, `${stop("", "insert or update", "new")}; ${stop("_deleted", "delete", "old")}`);
  }
}

export async function stopStopping({ source, organisation }: Move): Promise<void> {
  const name = nameOf(organisation);
  for (const { quoted } of await tablesOf(source)) {
    if (
      await finds(source, "select from pg_trigger where tgname = $1 and tgrelid = $2::regclass", [
        name,
        `app.${quoted}`,
      ])
    ) {
      await define(
        source,
        `drop trigger if exists ${name} on app.${quoted}; drop trigger if exists ${name}_deleted on app.${quoted}`,
      );
    }
  }
}
