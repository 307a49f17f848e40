/*
 * Validates a webhook's URL when an endpoint is created or changed. Names are not resolved here: each delivery checks all
 * addresses again (resolve.ts), so an allowed name cannot reach a refused address. (docs/specification/webhooks.md#url-rules)
 */
import { type AllowedRanges, addressClasses, isAddress, isReachable, withoutBrackets } from "./address.ts";
import { type AllowedHosts, isPrivateName, isUnder, localSuffixes, spellingFault } from "./host-names.ts";

/** Permissions by the operator: address ranges for deliveries, and host names for the creation of endpoints. */
export type AllowedTargets = { ranges: AllowedRanges; hosts: AllowedHosts };

/**
 * The fault of the URL, regardless of settings. Checks the text too, because `URL` repairs many faults: it drops white
 * space, turns a backslash into a slash, and ignores an empty fragment.
 */
export function urlFault(text: string): string | undefined {
  if (text.includes("\\")) return "must not have a backslash";
  const parsed = URL.parse(text);
  if (!parsed || !/^https:\/\//i.test(text) || /[\s\p{Cc}]/u.test(text)) {
    return "must be an https address without white space";
  }
  const authority = /^https:\/\/([^/?#]*)/i.exec(text)?.[1] ?? "";
  if (authority === "") return "must have a host name after https://";
  if (authority.includes("@")) return "must not have a user name, a password or @ before the host name";
  if (text.includes("#")) return "must not have a fragment";
  if (parsed.port === "0") return "must not have port 0";
  return isAddress(parsed.hostname) ? undefined : spellingFault(parsed.hostname);
}

/** Whether a well-formed URL names this machine, a private network, or an address that deliveries may not reach. */
export function isPrivateTarget(url: string, { ranges, hosts }: AllowedTargets): boolean {
  const hostname = URL.parse(url)?.hostname;
  if (hostname === undefined) return false;
  if (isAddress(hostname)) return !isReachable(withoutBrackets(hostname), ranges);
  // An allowed loopback range also allows the name localhost.
  const namesLoopback = isUnder(hostname, "localhost");
  if (namesLoopback && (isReachable("127.0.0.1", ranges) || isReachable("::1", ranges))) return false;
  return isPrivateName(hostname, hosts);
}

/** The ranges and names as JSON, for the same rule in SQL. (sql/names/targets.sql) */
export function describeTargets(): string {
  return JSON.stringify({ addresses: addressClasses.map(([range, verdict]) => ({ range, verdict })), localSuffixes });
}
