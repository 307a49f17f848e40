import { isIPv4, isIPv6 } from "node:net";

/** An address as a number, so that "does this range hold it" is one shift and one comparison. */
export type Address = { family: 4 | 6; bits: bigint };

/** A block of addresses. `bits` has nothing set beyond `prefix`. */
export type Range = Address & { prefix: number };

/** Reads an IPv4 or IPv6 address in text; a zone (`%eth0`) is dropped. Null for anything else. */
export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, bits: joinDigits(text.split(".").map(Number), 8n) };
  const [withoutZone = ""] = text.split("%", 1);
  if (!isIPv6(withoutZone)) return null;
  return { family: 6, bits: joinDigits(groupsOf(withoutZone), 16n) };
}

/** Reads `address/prefix`. Null when it is malformed, or when the address has bits set beyond the prefix. */
export function parseRange(text: string): Range | null {
  const [, network = "", length = ""] = /^([^/%]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const address = parseAddress(network);
  const prefix = Number(length);
  if (!address || prefix > widthOf(address)) return null;
  const rest = BigInt(widthOf(address) - prefix);
  return (address.bits >> rest) << rest === address.bits ? { ...address, prefix } : null;
}

/** Whether `range` holds `address`. An IPv4 range never holds an IPv6 address, however it is wrapped. */
export function contains(range: Range, address: Address): boolean {
  if (range.family !== address.family) return false;
  const rest = BigInt(widthOf(range) - range.prefix);
  return address.bits >> rest === range.bits >> rest;
}

/** The IPv4 address in the 32 bits of `address` that begin at bit `offset`, counted from the left. */
export function embeddedIPv4(address: Address, offset: number): Address {
  return { family: 4, bits: (address.bits >> BigInt(128 - 32 - offset)) & 0xffff_ffffn };
}

function widthOf(address: Address): 32 | 128 {
  return address.family === 4 ? 32 : 128;
}

/** The eight groups of an IPv6 address that `isIPv6` has accepted. */
function groupsOf(text: string): number[] {
  const [head = [], tail] = text.split("::").map((half) => (half === "" ? [] : half.split(":").flatMap(groupOf)));
  if (tail === undefined) return head;
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** One group in hexadecimal, or the two that a dotted IPv4 ending stands for. */
function groupOf(text: string): number[] {
  if (!text.includes(".")) return [Number.parseInt(text, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
  return [a * 256 + b, c * 256 + d];
}

function joinDigits(digits: number[], width: bigint): bigint {
  return digits.reduce((bits, digit) => (bits << width) | BigInt(digit), 0n);
}
