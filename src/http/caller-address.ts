/**
 * Who calls, for the bucket of callers without a credential. (Part 8.) X-Forwarded-For is anybody's to write, so of it
 * counts only what proxies of ours have added: read from the right, past the hops that TRUSTED_PROXIES names, up to the
 * first address that none of them vouches for.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddress from "proxy-addr";

export function callerAddress(request: IncomingMessage, trusts: (address: string) => boolean): string | undefined {
  const peer = request.socket.remoteAddress;
  if (!peer || !trusts(peer)) return peer;
  const address = proxyAddress(request, trusts);
  // What a trusted proxy passed on and is no address would be a bucket of its own for each way to write it.
  return isIP(address) ? address : peer;
}
