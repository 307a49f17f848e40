/** Hides an organisation that is in another cell, and stops its writes. Both exist only while a move is under way. */
import { movesUnderWay } from "../../database/moves.ts";
import { type Cell, define, finds, type Move } from "./cell.ts";

export const nameOf = (organisation: string) => `botstead_move_${organisation.replaceAll("-", "")}`;

type Table = { quoted: string; key: string; is_kept: boolean };
const tablesOf = (cell: Cell) => cell.rows<Table>("select quoted, key, is_kept from service.moved_tables");

const policies = "select from pg_policy where polname = 'botstead_move'";

const policyOf = ({ quoted }: Table) => `${policies} and polrelid = 'app.${quoted}'::regclass`;

/** The audit log of an organisation that left stays visible, since the checkpoint job verifies it. */
export async function hide(cell: Cell): Promise<void> {
  for (const table of await tablesOf(cell)) {
    if (await finds(cell, policyOf(table))) continue;
    await define(
      cell,
      `do $$ begin
         lock app.${table.quoted} in access exclusive mode; -- another move may create it at once
         if not exists (${policyOf(table)}) then
           create policy botstead_move on app.${table.quoted} as restrictive for all to tenant, authenticator, searcher, owner
             using (${table.key} <> all ((select caller.absent_organisations(${table.is_kept}))::uuid[]));
           comment on policy botstead_move on app.${table.quoted} is 'Rows of organisations that are here. Only while a move is under way.';
         end if;
       end $$`,
    );
  }
}

const otherMoves = ({ organisation }: Move) => `${movesUnderWay} and organisation_id <> '${organisation}'`;

/** Drops the policies, unless another move needs them. The lock keeps moves from beginning between that check and the drop. */
export async function reveal(cell: Cell, move: Move): Promise<void> {
  if (await finds(cell, otherMoves(move))) return;
  for (const table of await tablesOf(cell)) {
    if (!(await finds(cell, policyOf(table)))) continue;
    await define(
      cell,
      `do $$ begin
         lock app.organisation_moves in share mode;
         if not exists (${otherMoves(move)}) then
           drop policy if exists botstead_move on app.${table.quoted};
         end if;
       end $$`,
    );
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
    isEnded = (await finds(cell, otherMoves(move))) || !(await finds(cell, policies));
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
