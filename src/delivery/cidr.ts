import { isIPv4, isIPv6 } from "node:net";

/** An address as a number, so that a range check is one shift and one comparison. */
export type Address = { family: 4 | 6; bits: bigint };

/** A block of addresses. No bit of `bits` is set beyond `prefix`. */
export type Range = Address & { prefix: number };

/** Parses an IPv4 or IPv6 address; drops a zone such as `%eth0`. Null for any other text. */
export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, bits: joinDigits(text.split(".").map(Number), 8n) };
  const [withoutZone = ""] = text.split("%", 1);
  if (!isIPv6(withoutZone)) return null;
  return { family: 6, bits: joinDigits(groupsOf(withoutZone), 16n) };
}

/** Parses `address/prefix`. Null if it is malformed, or if the address has bits set beyond the prefix. */
export function parseRange(text: string): Range | null {
  const [, network = "", length = ""] = /^([^/%]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const address = parseAddress(network);
  const prefix = Number(length);
  if (!address || prefix > widthOf(address)) return null;
  const rest = BigInt(widthOf(address) - prefix);
  return (address.bits >> rest) << rest === address.bits ? { ...address, prefix } : null;
}

/** Whether `range` contains `address`. An IPv4 range contains no IPv6 address, not even an IPv4-mapped one. */
export function contains(range: Range, address: Address): boolean {
  if (range.family !== address.family) return false;
  const rest = BigInt(widthOf(range) - range.prefix);
  return address.bits >> rest === range.bits >> rest;
}

/** The IPv4 address in the 32 bits of `address` from bit `offset` on, counted from the left. */
export function embeddedIPv4(address: Address, offset: number): Address {
  return { family: 4, bits: (address.bits >> BigInt(128 - 32 - offset)) & 0xffff_ffffn };
}

function widthOf(address: Address): 32 | 128 {
  return address.family === 4 ? 32 : 128;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(text: string): number[] {
  const [head = [], tail] = text.split("::").map((half) => (half === "" ? [] : half.split(":").flatMap(groupOf)));
  if (tail === undefined) return head;
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** One hexadecimal group, or the two groups of a dotted IPv4 ending. */
function groupOf(text: string): number[] {
  if (!text.includes(".")) return [Number.parseInt(text, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
  return [a * 256 + b, c * 256 + d];
}

function joinDigits(digits: number[], width: bigint): bigint {
  return digits.reduce((bits, digit) => (bits << width) | BigInt(digit), 0n);
}
