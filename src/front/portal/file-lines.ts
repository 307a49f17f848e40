/** Lines of a file. Memory has one part of it at a time. */
import { maxBodyBytes, maxImportLines } from "../../contract/body-limits.ts";

/** Where a line begins in the file. Numbers begin with 1. */
export type Position = { number: number; offset: number };
export const firstLine: Position = { number: 1, offset: 0 };

/** @property bytes without the line feed; null if the line is longer than a request may be */
export type Line = Position & { bytes: Uint8Array<ArrayBuffer> | null };

const [newline, blanks] = [0x0a, [0x20, 0x09, 0x0d]];
const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => blanks.includes(byte));

const bytesAt = async (file: Blob, offset: number) =>
  new Uint8Array(await file.slice(offset, offset + maxBodyBytes).arrayBuffer());

/**
 * The lines of the next part that a request can have, without blank ones.
 *
 * @returns no lines at the end of the file
 */
export async function linesFrom(file: Blob, at: Position): Promise<{ lines: Line[]; next: Position }> {
  let next = at;
  while (next.offset < file.size) {
    const window = await bytesAt(file, next.offset);
    const part = linesOf(window, next, next.offset + window.length === file.size);
    if (part.next === next) {
      const line = { ...next, bytes: null };
      return { lines: [line], next: { number: next.number + 1, offset: await endOfLine(file, next.offset) } };
    }
    if (part.lines.length > 0) return part;
    next = part.next; // blank lines only
  }
  return { lines: [], next };
}

/** @param isEnd whether the last line may have no line feed */
function linesOf(window: Uint8Array<ArrayBuffer>, at: Position, isEnd: boolean): { lines: Line[]; next: Position } {
  const lines: Line[] = [];
  let next = at;
  for (let from = 0; from < window.length && lines.length < maxImportLines; ) {
    const found = window.indexOf(newline, from);
    if (found === -1 && !isEnd) break;
    const to = found === -1 ? window.length : found;
    const bytes = window.subarray(from, to);
    if (!isBlank(bytes)) lines.push({ ...next, bytes });
    from = to + 1;
    next = { number: next.number + 1, offset: Math.min(at.offset + from, at.offset + window.length) };
  }
  return { lines, next };
}

/** Where the line after a line that is longer than a request begins. */
async function endOfLine(file: Blob, offset: number): Promise<number> {
  for (let at = offset; at < file.size; at += maxBodyBytes) {
    const found = (await bytesAt(file, at)).indexOf(newline);
    if (found !== -1) return at + found + 1;
  }
  return file.size;
}

/** The body of a request. */
export function joined(lines: Line[]): Uint8Array<ArrayBuffer> {
  const contents = lines.map(({ bytes }) => bytes ?? new Uint8Array());
  const body = new Uint8Array(contents.reduce((size, { length }) => size + length + 1, -1)).fill(newline);
  let at = 0;
  for (const bytes of contents) {
    body.set(bytes, at);
    at += bytes.length + 1;
  }
  return body;
}
