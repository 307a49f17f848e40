/** `botstead organisation move` (docs/moves.md). */
import { readFileSync } from "node:fs";
import { Command, InvalidArgumentError } from "commander";
import { urlAs } from "../database/urls.ts";
import type { Options } from "../moves/move.ts";
import { type Attribution, attributedAll } from "./attribution.ts";
import { runningDatabase } from "./database.ts";
import { type Format, printable, printChange, uuid } from "./output.ts";

type MoveOptions = Attribution & Format & { to: string; targetUrlFile: string; resume?: true; abort?: true };

export function organisationCommand(): Command {
  const command = new Command("organisation").description("organisations of this cell");
  printable(command.command("move"))
    .description("move an organisation to another cell, while it is used")
    .argument("<id>", "its id")
    .requiredOption("--to <cell>", "name of the other cell, 1 to 60 characters", cellName)
    .requiredOption("--target-url-file <file>", "file with the URL of an administrator of the other cell's database")
    .option("--resume", "continue a move that ended early")
    .option("--abort", "end a move before its switch; the organisation stays here")
    .action(move);
  return attributedAll(command, "move");
}

function cellName(text: string): string {
  if (text.length < 1 || text.length > 60) throw new InvalidArgumentError("It must have 1 to 60 characters.");
  return text;
}

async function move(id: string, { to, targetUrlFile, resume, abort, ...options }: MoveOptions): Promise<void> {
  const organisation = uuid(id);
  if (resume && abort) throw new Error("Use either --resume or --abort.");
  const { adminUrl, key } = await runningDatabase();
  const targetUrl = readFileSync(targetUrlFile, "utf8").trim();
  const { abortMove, resumeMove, startMove } = await import("../moves/move.ts");
  const { requireSameMasterKey } = await import("../moves/conditions.ts");
  const { noteMove } = await import("../moves/record.ts");
  await requireSameMasterKey(urlAs("auditor", targetUrl, key));
  const from = new URL(adminUrl).host.slice(0, 60);
  const say = (step: string) => void process.stderr.write(`Step: ${step}\n`);
  const phase = resume ? "resume" : abort ? "abort" : "start";
  const note = async () => {
    for (const url of [adminUrl, targetUrl]) await noteMove(url, { organisation, phase, from, to }, options);
  };
  const given: Options = { organisation, from, to, sourceUrl: adminUrl, targetUrl, note, onStep: say };
  if (abort) {
    await abortMove(given);
    printChange("The move is ended. The organisation stays here.", { organisation, state: "here" }, options);
    return;
  }
  const { pauseMs } = await (resume ? resumeMove : startMove)(given);
  const paused = pauseMs === undefined ? "" : ` Its writes waited ${Math.round(pauseMs)} ms.`;
  printChange(`The organisation is in ${to}.${paused}`, { organisation, state: "moved", pauseMs }, options);
}
