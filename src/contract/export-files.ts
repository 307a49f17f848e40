/** Names and lines in the folder of an export, also for the portal. (docs/leaving.md) */

export const fileOfPart = (part: number): string => `part-${String(part).padStart(6, "0")}.jsonl`;

/** A line of parts.jsonl. */
export type PartLine = { part: number; lines: number; hash: string; chain: string };
