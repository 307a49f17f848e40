/** What may be asked of the benchmark on its command line. */
import { parseArgs } from "node:util";

export type Options = {
  /** Rows of the table to run, by name; all when empty. */
  rows: string[];
  memories: number;
  organisations: number;
  rounds: number;
  /** Seconds that one measurement lasts, after its warm-up. */
  seconds: number;
  /** Where the data are made, or found from an earlier run; undefined: in a folder that is removed afterwards. */
  folder: string | undefined;
  /** Where V8 writes what the API's process spent its time on. */
  profile: string | undefined;
  /** Whether docs/performance.md is given the result. */
  write: boolean;
};

const rowNames =
  "ground get list post members batch deliveries runs streams recall trail profile limits sizes processes scale".split(
    " ",
  );

/** Has a table of its own, which it writes also when it is run alone. */
export const hasOwnTable = (row: string) => ["recall", "trail", "profile", "limits", "sizes", "scale"].includes(row);

export const usage = `npm run bench -- [options] [row ...]

  --short              100,000 memories and short measurements: four minutes instead of nine
  --memories <n>       rows of the table of memories, and finished runs that claims are among (1,000,000)
  --organisations <n>  that they are spread over (200)
  --rounds <n>         of which the median is taken (3)
  --seconds <n>        that one measurement lasts (5)
  --folder <path>      keep the data there, and use them again when they are there
  --profile <path>     write a CPU profile of the API's process there
  --no-write           print the table alone; leave docs/performance.md as it is

Rows: ${rowNames.join(", ")}. A run of some rows does not write, but for
recall, trail, profile, limits, sizes and scale, which have tables of their own. scale runs only when it is named: it fills a
database with --memories rows of each kind, ten million of which take half an hour and 30 GB, and one with ten thousand,
whose organisations have as many each.
`;

/** @throws Error in a sentence for what it does not understand. */
export function readOptions(given: string[]): Options | "help" {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    allowNegative: true,
    options: {
      help: { type: "boolean" },
      short: { type: "boolean" },
      memories: { type: "string" },
      organisations: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      folder: { type: "string" },
      profile: { type: "string" },
      write: { type: "boolean" },
    },
  });
  if (values.help) return "help";
  const number = (name: "memories" | "organisations" | "rounds" | "seconds", otherwise: number) => {
    const value = Number((values[name] ?? String(otherwise)).replaceAll(/[,_]/g, ""));
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0.`);
    return value;
  };
  const unknown = positionals.filter((row) => !rowNames.includes(row));
  if (unknown.length > 0) throw new Error(`There is no row ${unknown.join(", ")}: there are ${rowNames.join(", ")}.`);
  return {
    rows: positionals,
    memories: number("memories", values.short ? 100_000 : 1_000_000),
    organisations: number("organisations", 200),
    rounds: number("rounds", 3),
    seconds: number("seconds", values.short ? 1.5 : 5),
    folder: values.folder,
    profile: values.profile,
    write: values.write ?? positionals.every(hasOwnTable),
  };
}
