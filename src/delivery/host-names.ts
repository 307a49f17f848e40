/*
 * The host names that a webhook's URL may have. A name that resolves only inside a private network targets that network.
 * (docs/specification/webhooks.md#url-rules)
 */
import { domainToASCII } from "node:url";

/** Names that the operator allows: `hooks.corp.internal`, or with a leading dot all names under it. */
export type AllowedHosts = readonly string[];

/** Names of one machine, of a local network, of a cluster, or reserved (RFC 2606, 6761, 6762, 7686, 8375). */
export const localSuffixes = [
  "localhost",
  "local",
  "internal",
  "home.arpa",
  "in-addr.arpa",
  "ip6.arpa",
  "svc",
  "cluster.local",
  "test",
  "invalid",
  "onion",
];

/**
 * Parses the operator's comma-separated names, or `*.suffix` for all names under the suffix.
 *
 * @throws {Error} with the number of the first entry that is neither
 */
export function parseHosts(text: string): AllowedHosts {
  if (text.trim() === "") return [];
  return text.split(",").map((entry, index) => {
    const [, wildcard = "", name = ""] = /^(\*\.)?(.*)$/.exec(entry.trim()) ?? [];
    const ascii = domainToASCII(name);
    if (ascii === "" || spellingFault(ascii)) {
      throw new Error(
        `entry ${index + 1} is not a host name such as hooks.corp, nor a suffix such as *.corp.internal.`,
      );
    }
    return wildcard ? `.${ascii}` : ascii;
  });
}

/** Why this name in ASCII is not valid. Undefined if its labels are well formed. */
export function spellingFault(hostname: string): string | undefined {
  const labels = hostname.split(".");
  if (labels.includes("")) return "must not have an empty label in its host name";
  if (labels.some((label) => label.length > 63))
    return "must not have a label of more than 63 characters in its host name";
  if (hostname.length > 253) return "must not have a host name of more than 253 characters";
  if (!labels.every((label) => /^[a-z0-9-]+$/.test(label))) {
    return "must have only letters, digits and hyphens in the labels of its host name";
  }
  return undefined;
}

/** Whether this name in ASCII belongs to a private network, and is not allowed by the operator. */
export function isPrivateName(hostname: string, allowed: AllowedHosts): boolean {
  if (allowed.some((entry) => (entry.startsWith(".") ? hostname.endsWith(entry) : hostname === entry))) return false;
  return !hostname.includes(".") || localSuffixes.some((suffix) => isUnder(hostname, suffix));
}

export function isUnder(hostname: string, suffix: string): boolean {
  return hostname === suffix || hostname.endsWith(`.${suffix}`);
}
