/** Names of WAL files: timeline, then position, 8 and 16 hexadecimal digits. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Backup } from "./archive.ts";

const segmentName = /^[0-9A-F]{24}$/;
/** The size that initdb chooses. */
const segmentBytes = 16 * 1024 * 1024;

export function listSegments(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => segmentName.test(name))
        .sort()
    : [];
}

/** The first WAL file that recovery from this backup needs. */
export function firstSegment({ folder }: Pick<Backup, "folder">): string {
  const [, name] =
    readFileSync(join(folder, "backup_label"), "utf8").match(/^START WAL LOCATION: .*\(file (\w+)\)$/m) ?? [];
  if (!name) throw new Error(`The file ${join(folder, "backup_label")} does not name the first WAL file.`);
  return name;
}

/** The part of a name that counts positions. A later timeline continues the positions of the one before. */
const positionOf = (name: string): string => name.slice(8, 24);

/** A sentence for each gap or truncated file in the archive, from the start of the backup on. */
export function verifyWal(backup: Backup): string[] {
  const segments = listSegments(backup.wal).filter((name) => positionOf(name) >= positionOf(firstSegment(backup)));
  const truncated = segments
    .filter((name) => statSync(join(backup.wal, name)).size !== segmentBytes)
    .map((name) => `WAL file ${name} is truncated.`);
  const gaps = segments.slice(1).flatMap((name, index) => {
    const before = segments[index] ?? "";
    return number(name) - number(before) > 1n ? [`WAL is missing between ${before} and ${name}.`] : [];
  });
  return [...truncated, ...gaps];
}

/** The last eight digits count to 0xFF only: 256 files of 16 MB are 4 GB. */
const number = (name: string) => BigInt(`0x${name.slice(8, 16)}`) * 256n + BigInt(`0x${name.slice(16)}`);

/** Removes archived files from before this backup. */
export function removeWalBefore(backup: Backup): void {
  const first = positionOf(firstSegment(backup));
  for (const name of readdirSync(backup.wal)) {
    if (/^[0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?$/.test(name) && positionOf(name) < first) rmSync(join(backup.wal, name));
  }
}
