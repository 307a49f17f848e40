/** Faults of the audit log, each with its place. */

/** The chain of the service, and faults of the tree as a whole. */
export const nilId = "00000000-0000-0000-0000-000000000000";

/**
 * - `altered`, `removed`, `inserted`, `head`, `truncation`: of a chain (audit.verify_chain).
 * - `rewritten`: PostgreSQL counted updates or deletions of entries of a week. `sequence` is the week, such as 20260105.
 * - `setting`: the retention is not the recorded one.
 * - `tree`: the stored tree differs from its checkpoint.
 * - `checkpoint`: a stored checkpoint was altered or removed.
 * - `rolled_back`: a witness or this process knows a larger tree.
 * - `witness`: a witness refuses a checkpoint.
 */
export type FaultKind =
  | "altered"
  | "removed"
  | "inserted"
  | "head"
  | "truncation"
  | "rewritten"
  | "setting"
  | "tree"
  | "checkpoint"
  | "rolled_back"
  | "witness";

/** `sequence` to `last_sequence` are numbers of entries; a leaf, a size of the tree or a count for faults of the tree. */
export type Fault = { organisation_id: string; fault: FaultKind; sequence: number; last_sequence: number };

export const chainName = (organisationId: string): string =>
  organisationId === nilId ? "the service" : `organisation ${organisationId}`;

export function sentenceOf({ organisation_id: of, fault, sequence: first, last_sequence: last }: Fault): string {
  const chain = chainName(of);
  const entries = last > first ? `entries ${first} to ${last}` : `entry ${first}`;
  const are = last > first ? "are" : "is";
  switch (fault) {
    case "altered":
      return `${chain}: ${entries} ${are} altered`;
    case "removed":
      return `${chain}: ${entries} ${are} removed`;
    case "inserted":
      return `${chain}: ${entries} ${are} inserted`;
    case "head":
      return `${chain}: the chain head is missing or differs from ${entries}`;
    case "truncation":
      return `${chain}: no valid entry records the truncation of ${entries}`;
    case "rewritten":
      return `rows of entries of the week of ${first} were updated or deleted, ${last} times`;
    case "setting":
      return "the service: the retention is not the one that was recorded last";
    case "tree":
      return `the tree differs from its checkpoint, at leaf ${first}`;
    case "checkpoint":
      return last > first
        ? `rows of stored checkpoints were altered or removed, ${last} times`
        : `the stored checkpoint of size ${first} has no valid signature of its root`;
    case "rolled_back":
      return `the tree had ${first} leaves before: entries were removed, or an old backup was restored`;
    case "witness":
      return `a witness refuses the checkpoint${first > 0 ? ` and knows a tree of ${first} leaves` : ""}`;
  }
}
