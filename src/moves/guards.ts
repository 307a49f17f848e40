/** Hides an organisation that is in another cell, and stops its writes. Both exist only while a move is under way. */
import { movesUnderWay } from "../database/moves.ts";
import { type Cell, define, finds, type Move } from "./cells.ts";

export const nameOf = (organisation: string) => `botstead_move_${organisation.replaceAll("-", "")}`;

type Table = { quoted: string; key: string; is_kept: boolean };
const tablesOf = (cell: Cell) => cell.rows<Table>("select quoted, key, is_kept from service.moved_tables");

const hasPolicy = (cell: Cell, { quoted }: Table) =>
  finds(cell, "select from pg_policy where polname = 'botstead_move' and polrelid = $1::regclass", [`app.${quoted}`]);

/** The audit log of an organisation that left stays visible, since the checkpoint job verifies it. */
export async function hide(cell: Cell): Promise<void> {
  for (const table of await tablesOf(cell)) {
    if (await hasPolicy(cell, table)) continue;
    await define(
      cell,
      `create policy botstead_move on app.${table.quoted} as restrictive for all to tenant, authenticator, searcher, owner
       using (${table.key} <> all ((select caller.absent_organisations(${table.is_kept}))::uuid[]));
       comment on policy botstead_move on app.${table.quoted} is 'Rows of organisations that are here. Only while a move is under way.'`,
    );
  }
}

/**
 * Drops the policies, unless another move needs them. The lock keeps other moves from beginning between that check and the drop.
 * Call it before the end of this move is recorded, so that a move which is killed here can be ended again.
 */
export async function reveal(cell: Cell, { organisation }: Move): Promise<void> {
  for (const table of await tablesOf(cell)) {
    if (!(await hasPolicy(cell, table))) continue;
    await define(
      cell,
      `do $$ begin
         lock app.organisation_moves in share mode;
         if not exists (${movesUnderWay} and organisation_id <> '${organisation}') then
           drop policy botstead_move on app.${table.quoted};
         end if;
       end $$`,
    );
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
