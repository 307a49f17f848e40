/** The audit log as rows: what the database and an export contain. Hashes are in hex. */

export type CheckpointRow = { kind: "checkpoint"; note: string; publicKey: string };
export type TileRow = { kind: "tile"; level: number; tile: number; hashes: string };
/** Entries of an organisation that are leaves in a row. */
export type LeavesRow = {
  kind: "leaves";
  organisationId: string;
  firstSequence: number;
  lastSequence: number;
  firstIndex: number;
};
/** The beginning and the end of a chain. */
export type ChainRow = {
  kind: "chain";
  organisationId: string;
  truncatedSequence: number;
  truncatedHash: string;
  truncationId: string | null;
  headSequence: number | null;
  headHash: string | null;
};
/** @param content null where the reader may not see it: the database then verifies hashes of entries */
export type EntryRow = {
  kind: "entry";
  organisationId: string;
  sequence: number;
  id: string;
  hash: string;
  content: string | null;
};

export type LogRow = CheckpointRow | TileRow | LeavesRow | ChainRow | EntryRow;

/** Kinds in this order; tiles by level and number, leaves by index, entries by organisation and id. */
export type LogRows = AsyncIterable<LogRow>;
