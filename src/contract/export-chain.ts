/** The folder of an export: names of files, and the chain of hashes over its parts. (docs/specification/exports.md) */
import { createHash } from "node:crypto";

export const exportFormat = "botstead export v1";

export const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

export const fileOfPart = (part: number): string => `part-${String(part).padStart(6, "0")}.jsonl`;

/** A line of parts.jsonl. */
export type PartLine = { part: number; lines: number; hash: string; chain: string };

export const startOfChain = (organisationId: string, exportId: string): string =>
  sha256(`${exportFormat}\n${organisationId}\n${exportId}\n`);

/** The same bytes as api_private.chain_of_part. */
export const chainAfter = (previous: string, { part, lines, hash }: Omit<PartLine, "chain">): string =>
  sha256(`${previous}\n${part}\n${lines}\n${hash}\n`);
