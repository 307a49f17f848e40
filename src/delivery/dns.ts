/*
 * Resolves the host names of receivers. A tenant may run the name server, which may never answer. The system's resolver would
 * block one of the few threads of the process, and two such names would delay all deliveries. So names are resolved without
 * threads, and open queries are cancelled at a deadline.
 */
import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/** Returns all addresses of a name, IPv4 first. Returns none if there are more than 64, or after the deadline. */
export type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

export type ResolveNameSettings = {
  /** For all queries, servers and retries together. Defaults to 5 seconds. */
  deadlineMs?: number;
  /** How long to wait for the other family once one has addresses. Defaults to 50 ms (RFC 8305, section 3). */
  otherFamilyMs?: number;
  /** Name servers as `address` or `address:port`. Defaults to the system's. */
  servers?: readonly string[];
  /** Defaults to `/etc/hosts`. */
  hostsFile?: string;
};

/** More addresses than a real receiver has. Checking thousands would cost too much time. */
const MAX_ADDRESSES = 64;

/** A lost packet costs 1 second instead of the whole attempt. */
const QUERY_OPTIONS = { timeout: 1_000, tries: 3 };

/** The hosts file is read at most once per second, however many posts there are. */
const HOSTS_CACHE_MS = 1_000;

/** Looks in the hosts file, then queries the name servers for exactly this name, without search suffixes. */
export function createResolveName({
  deadlineMs = 5_000,
  otherFamilyMs = 50,
  servers,
  hostsFile = "/etc/hosts",
}: ResolveNameSettings = {}): ResolveName {
  const hosts = cached(HOSTS_CACHE_MS, () => readHosts(hostsFile));

  return async (hostname) => {
    const name = hostname.replace(/\.$/, "").toLowerCase();
    const known = (await hosts()).get(name);
    if (known) return known;
    if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"].map(asAddress); // RFC 6761

    const resolver = new Resolver(QUERY_OPTIONS); // one per name: it reads the system's current settings, and can be cancelled alone
    if (servers) resolver.setServers(servers);
    let deadline = setTimeout(() => resolver.cancel(), deadlineMs);
    // Some name servers drop queries for one family. Connections use only the addresses that this function returns.
    const hasAddresses = (found: string[]) => {
      clearTimeout(deadline);
      deadline = setTimeout(() => resolver.cancel(), otherFamilyMs);
      return found;
    };
    // A family without data or without an answer contributes no addresses.
    const answers = await Promise.allSettled(
      [resolver.resolve4(name), resolver.resolve6(name)].map((answer) => answer.then(hasAddresses)),
    );
    clearTimeout(deadline);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    return addresses.length > MAX_ADDRESSES ? [] : addresses.map(asAddress);
  };
}

async function readHosts(file: string): Promise<Map<string, LookupAddress[]>> {
  const text = await readFile(file, "utf8").catch(() => "");
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (!isIP(address)) continue;
    for (const name of new Set(names.map((each) => each.toLowerCase()))) {
      hosts.set(name, [...(hosts.get(name) ?? []), asAddress(address)]);
    }
  }
  return hosts;
}

function cached<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let entry: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (!entry || performance.now() > entry.until) entry = { value: read(), until: performance.now() + ms };
    return entry.value;
  };
}

function asAddress(address: string): LookupAddress {
  return { address, family: isIP(address) };
}
