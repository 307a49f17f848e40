/** Command-line options of the benchmark. */
import { parseArgs } from "node:util";

export type Options = {
  /** Names of the rows to run; all if empty. */
  rows: string[];
  memories: number;
  organisations: number;
  rounds: number;
  /** Seconds of one measurement, after its warm-up. */
  seconds: number;
  /** Writes a second during the moves of row moves. */
  writes: number;
  /** Folder of the data, which a later run can reuse; undefined: a temporary folder that is deleted. */
  folder: string | undefined;
  /** Folder for the CPU profile of the API process. */
  profile: string | undefined;
  /** Whether to update the pages with the result. */
  write: boolean;
};

const rowNames =
  "baseline get list post members batch deliveries runs starts streams live search audit-log profile rate-limits pressure cells moves neighbours sizes floods erasure processes scale lists".split(
    " ",
  );

/** Rows with a generated section of their own, which is updated even when only some rows run. */
export const hasOwnTable = (row: string) =>
  [
    ...["live", "search", "audit-log", "profile", "rate-limits", "pressure", "cells", "moves", "neighbours"],
    ...["starts", "sizes", "floods", "erasure", "scale", "lists"],
  ].includes(row);

export const usage = `npm run bench -- [options] [row ...]

  --short              100,000 memories and short measurements: 4 minutes instead of 9
  --memories <n>       rows of app.memories, and finished runs in the larger database of row runs (default: 1,000,000)
  --organisations <n>  organisations that own these rows (default: 200)
  --rounds <n>         rounds; results are medians of them (default: 3)
  --seconds <n>        duration of one measurement (default: 5)
  --writes <n>         writes a second in row moves, a fifth of them for the large organisation (default: 500)
  --folder <path>      keep the data in this folder, and reuse them if they exist
  --profile <path>     write a CPU profile of the API process to this folder
  --no-write           print the tables; do not update the pages

Rows: ${rowNames.join(", ")}.

Without row names, all rows except moves, scale and lists run, and all pages are updated. With row names, pages are updated only if each of
them has a section of its own: live, search, audit-log, profile, rate-limits, pressure, cells, moves, neighbours, starts, sizes,
floods, erasure, scale, lists.
Row scale fills one database with --memories rows of each kind and one with 10,000; both have the same number of rows for
each organisation. Ten million rows take half an hour and 30 GB.
`;

/** @throws Error for unknown options and rows, and for numbers that are not above 0. */
export function readOptions(args: string[]): Options | "help" {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      help: { type: "boolean" },
      short: { type: "boolean" },
      memories: { type: "string" },
      organisations: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      writes: { type: "string" },
      folder: { type: "string" },
      profile: { type: "string" },
      write: { type: "boolean" },
    },
  });
  if (values.help) return "help";
  const number = (name: "memories" | "organisations" | "rounds" | "seconds" | "writes", defaultValue: number) => {
    const value = Number((values[name] ?? String(defaultValue)).replaceAll(/[,_]/g, ""));
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0.`);
    return value;
  };
  const unknown = positionals.filter((row) => !rowNames.includes(row));
  if (unknown.length > 0) throw new Error(`Unknown row: ${unknown.join(", ")}. Rows are ${rowNames.join(", ")}.`);
  return {
    rows: positionals,
    memories: number("memories", values.short ? 100_000 : 1_000_000),
    organisations: number("organisations", 200),
    rounds: number("rounds", 3),
    seconds: number("seconds", values.short ? 1.5 : 5),
    writes: number("writes", 500),
    folder: values.folder,
    profile: values.profile,
    write: values.write ?? positionals.every(hasOwnTable),
  };
}
