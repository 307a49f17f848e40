/** Request ids: UUIDv7, so that they sort by time. */
import { randomBytes } from "node:crypto";

const pool = Buffer.alloc(16 * 256);
let left = 0;

/** Random bytes are drawn for 256 ids at once: a draw for one id costs as much as for hundreds. */
export function newRequestId(): string {
  if (left === 0) {
    randomBytes(pool.length).copy(pool);
    left = pool.length;
  }
  left -= 16;
  const bytes = pool.subarray(left, left + 16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
