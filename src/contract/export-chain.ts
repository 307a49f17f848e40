/** The chain of hashes over the parts of an export. (docs/specification/exports.md) */
import { createHash } from "node:crypto";
import type { PartLine } from "./export-files.ts";

export const exportFormat = "botstead export v1";

export const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

export const startOfChain = (organisationId: string, exportId: string): string =>
  sha256(`${exportFormat}\n${organisationId}\n${exportId}\n`);

/** The same bytes as api_private.chain_of_part. */
export const chainAfter = (previous: string, { part, lines, hash }: Omit<PartLine, "chain">): string =>
  sha256(`${previous}\n${part}\n${lines}\n${hash}\n`);
