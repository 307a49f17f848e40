/**
 * Who calls, for the bucket of callers without a credential. (Part 8.) X-Forwarded-For is anybody's to write, so of it
 * counts only what proxies of ours have added: read from the right, past the hops that TRUSTED_PROXIES names, up to the
 * first address that none of them vouches for.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddress from "proxy-addr";
import { parseAddress } from "../delivery/cidr.ts";

/** An IPv4 address; or the /64 of an IPv6 one, which is what one caller is given, with more addresses than can be counted. */
export function callerAddress(request: IncomingMessage, trusts: (address: string) => boolean): string | undefined {
  const peer = request.socket.remoteAddress;
  if (!peer) return undefined;
  if (!trusts(peer)) return networkOf(peer);
  const address = proxyAddress(request, trusts);
  // What a trusted proxy passed on and is no address would be a bucket of its own for each way to write it.
  return networkOf(isIP(address) ? address : peer);
}

const ipv4Mapped = 0xffffn;

function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed?.family !== 6 || parsed.bits >> 32n === ipv4Mapped) return address;
  return `${(parsed.bits >> 64n).toString(16)}/64`;
}
