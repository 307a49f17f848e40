/** Command-line options of the benchmark. */
import { parseArgs } from "node:util";

export type Options = {
  /** Names of the rows to run. */
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
  /** Folder of the conversations of row search; undefined: our own. */
  conversations: string | undefined;
  /** Folder for the CPU profile of the API process. */
  profile: string | undefined;
  /** Whether to update the pages with the result. */
  write: boolean;
};

/** The default: the table of bench/notes/results.md, which they share. */
export const mainRows = ["baseline", "get", "list", "post", "members", "batch", "runs"];

/** Measured as the main rows are, in a table of its own. */
export const deliveries = "deliveries";

/** Other rows with a table of their own, in the order in which they run. */
const ownTables = [
  ...([
    "scale",
    "moves",
    "lists",
    "processes",
    "streams",
    "leases",
    "search",
    "live",
    "audit-log",
    "profile",
    "rate-limits",
  ] as const),
  ...(["pressure", "cells", "starts", "neighbours", "sizes", "floods", "erasure", "imports"] as const),
];
export type OwnTable = (typeof ownTables)[number];
export const isOwnTable = (row: string): row is OwnTable => (ownTables as string[]).includes(row);
const rowNames = [...mainRows, deliveries, ...ownTables];

export const usage = `npm run bench -- [options] [row ...]

  --all                run all rows
  --memories <n>       rows of app.memories (default: 200,000)
  --organisations <n>  organisations that own these rows (default: 200)
  --rounds <n>         rounds; results are medians of them (default: 3)
  --seconds <n>        duration of one measurement (default: 2)
  --writes <n>         writes a second in row moves, a fifth of them for the large organisation (default: 500)
  --folder <path>      keep the data in this folder, and reuse them if they exist
  --conversations <path> measure row search with these conversations (bench/search/conversations.ts has their format)
  --profile <path>     write a CPU profile of the API process to this folder
  --no-write           print the tables; do not update the pages

Without row names, these rows run, which takes at most 9 minutes on two slow cores: ${mainRows.join(", ")}.
They share the table of bench/notes/results.md, which is updated if all of them run.
By name or with --all also: ${[deliveries, ...ownTables].join(", ")}. Each has a table of its own, which is updated.
At the end the command prints how long each row took.

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
      all: { type: "boolean" },
      memories: { type: "string" },
      organisations: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      writes: { type: "string" },
      folder: { type: "string" },
      conversations: { type: "string" },
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
  const named = positionals.length > 0 ? rowNames.filter((row) => positionals.includes(row)) : mainRows;
  return {
    rows: values.all ? rowNames : named,
    memories: number("memories", 200_000),
    organisations: number("organisations", 200),
    rounds: number("rounds", 3),
    seconds: number("seconds", 2),
    writes: number("writes", 500),
    folder: values.folder,
    conversations: values.conversations,
    profile: values.profile,
    write: values.write ?? true,
  };
}
