/** Rows with a table of their own: what each measures, and the data that it needs. */
import { measureAuditLog } from "./audit-log.ts";
import { measureCells } from "./cells.ts";
import type { Data } from "./data.ts";
import { measureErasure } from "./erasure.ts";
import { measureFloods } from "./floods.ts";
import { measureImports } from "./imports.ts";
import { measureLeases } from "./leases.ts";
import { measureLists } from "./lists.ts";
import { measureLiveFeed } from "./live-feed.ts";
import { measureMoves } from "./moves.ts";
import { measureNeighbours } from "./neighbours.ts";
import type { Options, OwnTable } from "./options.ts";
import { measurePressure } from "./pressure.ts";
import { measureProcesses } from "./processes.ts";
import { measureProfile } from "./profile/measure.ts";
import { measureRateLimits } from "./rate-limits.ts";
import { measureScale } from "./scale/measure.ts";
import { measureSearch } from "./search/measure.ts";
import { measureSizes } from "./sizes.ts";
import { measureStarts } from "./starts.ts";
import { measureStreams } from "./streams.ts";

export type Context = { options: Options; folder: string; log: (message: string) => void };
/** Markdown tables. */
type Tables = Promise<string>;
type Group =
  /** Creates clusters and data of its own. */
  | { alone(context: Context): Tables }
  /** Needs this number of memories, if no other group of the run needs more. */
  | { memories: number; measure(data: Data, context: Context): Tables };

const few = 20_000;

export const groups: Record<OwnTable, Group> = {
  scale: { alone: ({ options, folder, log }) => measureScale(options, folder, log) },
  moves: { alone: ({ options, log }) => measureMoves(options, log) },
  lists: { alone: ({ options, log }) => measureLists(options.rounds, log) },
  processes: { alone: ({ folder }) => measureProcesses(folder) },
  streams: { memories: few, measure: (data, { options, log }) => measureStreams(data, options.rounds, log) },
  leases: { memories: 0, measure: (data, { options, log }) => measureLeases(data, options.rounds, log) },
  search: {
    memories: 0,
    measure: (data, { options, log }) => measureSearch(data.adminUrl, data.key, log, options.conversations),
  },
  live: { memories: few, measure: (data, { options, folder }) => measureLiveFeed(data, folder, options.rounds) },
  "audit-log": { memories: few, measure: (data, { options }) => measureAuditLog(data, options.rounds) },
  profile: { memories: few, measure: (data, { options, log }) => measureProfile(data, options.seconds, log) },
  "rate-limits": { memories: few, measure: (data, { options, folder }) => measureRateLimits(data, options, folder) },
  pressure: { memories: few, measure: (data, { options, folder }) => measurePressure(data, options, folder) },
  cells: { memories: few, measure: (data, { options, folder }) => measureCells(data, options, folder) },
  starts: { memories: few, measure: (data, { options, folder }) => measureStarts(data, options, folder) },
  neighbours: { memories: 0, measure: (data, { folder }) => measureNeighbours(data, folder) },
  sizes: { memories: few, measure: (data) => measureSizes(data) },
  floods: { memories: few, measure: (data, { options }) => measureFloods(data, options) },
  erasure: { memories: 0, measure: (data, { options }) => measureErasure(data, options.rounds) },
  imports: { memories: few, measure: (data, { options }) => measureImports(data, options) },
};
