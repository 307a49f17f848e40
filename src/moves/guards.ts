/** Hides an organisation that is in another cell, and stops its writes. Both only while a move is under way. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Cell, define, finds, type Move } from "./cells.ts";

export const nameOf = (organisation: string) => `botstead_move_${organisation.replaceAll("-", "")}`;

type Table = { quoted: string; key: string };
const tablesOf = (cell: Cell) => cell.rows<Table>("select quoted, key from service.moved_tables");

/**
 * Makes the policies hide organisations that are arriving or departed. Locks no table. Waits for transactions that began
 * before, since they may not have noticed it: nothing is copied until then.
 */
export async function hide(cell: Cell): Promise<void> {
  await cell.rows("select caller.hide_absent()");
  const [changed] = await cell.rows<{ at: string }>("select clock_timestamp()::text as at");
  const text = `select from pg_stat_activity session join pg_roles role on role.rolname = session.usename
    where session.datname = current_database() and session.xact_start <= $1::timestamptz
      and session.pid <> pg_backend_pid() and not role.rolbypassrls and not role.rolsuper`;
  while (await finds(cell, text, [changed?.at])) await sleep(20);
}

/** Hides nothing, unless another move needs it. */
export const reveal = (cell: Cell): Promise<unknown> => cell.rows("select caller.hide_absent()");

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
