/** The commands of organisations in cells (docs/directory.md, docs/moves.md). */
import { readFileSync } from "node:fs";
import { Command } from "commander";
import type { DirectoryAdministration } from "../cells/directory/administration.ts";
import type { Options } from "../cells/moves/move.ts";
import { urlAs } from "../database/urls.ts";
import { printError } from "../terminal.ts";
import { type Attribution, attributedAll } from "./attribution.ts";
import { nameOfCell, withDirectory } from "./cells.ts";
import { type Place, runningDatabase } from "./database.ts";
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
  return attributedAll(command, "move");
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
