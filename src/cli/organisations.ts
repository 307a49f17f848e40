/** The commands of organisations in cells (docs/directory.md, docs/moves.md). */
import { readFileSync } from "node:fs";
import { Command } from "commander";
import type { DirectoryAdministration } from "../cells/directory/administration.ts";
import type { Options } from "../cells/moves/move.ts";
import { readConfig } from "../config.ts";
import { urlAs } from "../database/urls.ts";
import { printError } from "../terminal.ts";
import { type Attribution, attributedAll } from "./attribution.ts";
import { nameOfCell, withDirectory } from "./cells.ts";
import { asOperator, type Place, runningDatabase } from "./database.ts";
import { type Format, printable, printChange, printList, uuid } from "./output.ts";

type MoveOptions = Attribution & Format & { to: string; targetUrlFile: string; resume?: true; abort?: true };

export function organisationCommand(): Command {
  const command = new Command("organisation").description("organisations and their cells");
  printable(command.command("list"))
    .description("list the organisations of the directory: id, cell")
    .option("--cell <name>", "only those in this cell")
    .action(async ({ cell = null, ...format }: Format & { cell?: string | null }) => {
      const text = "select id, cell from directory.organisations where $1::text is null or cell = $1 order by id";
      const organisations = await withDirectory((directory) => directory.rows<Placed>(text, [cell]));
      printList(organisations, ({ id, cell }) => [id, cell], format);
    });
  printable(command.command("move"))
    .description("move an organisation to another cell, while it is used")
    .argument("<id>", "its id")
    .requiredOption("--to <cell>", "name of the other cell", nameOfCell)
    .requiredOption("--target-url-file <file>", "file with the URL of an administrator of the other cell's database")
    .option("--resume", "continue a move that ended early")
    .option("--abort", "end a move before its switch; the organisation stays here")
    .action(move);
  printable(command.command("receipt"))
    .description("print the receipt of a deleted organisation, and which backups may still hold it")
    .argument("<id>", "its id")
    .action(receipt);
  return attributedAll(command, "move");
}

type Receipt = { state: string; receipt: string | null; receipt_hash: string | null; ended_at: Date | null };

/** The backups are of this machine's BACKUP_DIR; other tools keep theirs elsewhere. */
async function receipt(id: string, format: Format): Promise<void> {
  const text =
    "select state, receipt, receipt_hash, ended_at from operator.organisation_deletions where organisation_id = $1";
  const [row] = await asOperator<Receipt>(text, [uuid(id)]);
  if (!row?.ended_at)
    throw new Error(row ? "The deletion has not ended." : "No deletion of this organisation has begun.");
  const ended = row.ended_at;
  const { backupDir } = readConfig();
  const { listBackups } = await import("../database/backup/archive.ts");
  const backups = backupDir ? listBackups(backupDir).filter(({ endedAt }) => endedAt <= ended) : undefined;
  const at = ended.toISOString();
  const horizon = !backups
    ? `Backups and WAL from before ${at} may hold it. BACKUP_DIR is not set, so their list is not known here.`
    : backups.length === 0
      ? `No backup from before ${at} is left in BACKUP_DIR.`
      : `Backups from before ${at}, and the WAL between them, may hold it: ${backups.map(({ name }) => name).join(", ")}.`;
  const receiptText = row.receipt ?? "";
  if (format.json) {
    const names = backups?.map(({ name }) => name) ?? null;
    printChange(
      "",
      { receipt: JSON.parse(receiptText), hash: row.receipt_hash, backupsBefore: at, backups: names },
      format,
    );
  } else printChange([receiptText, `SHA-256: ${row.receipt_hash}`, horizon].join("\n"), {}, format);
}

type Placed = { id: string; cell: string };

async function move(id: string, options: MoveOptions): Promise<void> {
  if (options.resume && options.abort) throw new Error("Use either --resume or --abort.");
  const organisation = uuid(id);
  const place = await runningDatabase();
  if (!place.config.directory) return moveFrom(place, organisation, options, undefined);
  return withDirectory((directory) => moveFrom(place, organisation, options, directory));
}

/** @param directory undefined: there is none */
async function moveFrom(
  { adminUrl, key, config }: Place,
  organisation: string,
  { to, targetUrlFile, resume, abort, ...options }: MoveOptions,
  directory: DirectoryAdministration | undefined,
): Promise<void> {
  const targetUrl = readFileSync(targetUrlFile, "utf8").trim();
  const { abortMove, resumeMove, startMove } = await import("../cells/moves/move.ts");
  const { requireSameDatabase, requireSameMasterKey } = await import("../cells/moves/conditions.ts");
  const { noteMove } = await import("../cells/moves/record.ts");
  const { placeOrganisations, urlOfCell } = await import("../cells/directory/administration.ts");
  await requireSameMasterKey(urlAs("auditor", targetUrl, key));
  if (directory) await requireSameDatabase(targetUrl, urlAs("auditor", await urlOfCell(directory, to), key));
  const from = config.directory?.cell ?? new URL(adminUrl).host.slice(0, 60);
  const say = (step: string) => void printError(`Step: ${step}\n`);
  const phase = resume ? "resume" : abort ? "abort" : "start";
  const note = async () => {
    for (const url of [adminUrl, targetUrl]) await noteMove(url, { organisation, phase, from, to }, options);
  };
  const given: Options = { organisation, from, to, sourceUrl: adminUrl, targetUrl, note, onStep: say };
  if (directory) given.route = () => placeOrganisations(directory, [organisation], to);
  if (abort) {
    await abortMove(given);
    printChange("The move is ended. The organisation stays here.", { organisation, state: "here" }, options);
    return;
  }
  const { pauseMs } = await (resume ? resumeMove : startMove)(given);
  const paused = pauseMs === undefined ? "" : ` Its writes waited ${Math.round(pauseMs)} ms.`;
  printChange(`The organisation is in ${to}.${paused}`, { organisation, state: "moved", pauseMs }, options);
}
