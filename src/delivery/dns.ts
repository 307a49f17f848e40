/*
 * A host's addresses. The name is a tenant's choice, and its name server may be in that tenant's hands: it may never
 * answer. The system's own look-up would wait for it in one of the few threads that the process has, and two such names
 * would hold up the deliveries of everybody. So DNS is asked without a thread, under a deadline, and what is still open
 * then is called back.
 */
import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/** Answers all addresses of a name, IPv4 first; none when there are none or over 64, or when nobody said so in time. */
export type Ask = (hostname: string) => Promise<LookupAddress[]>;

export type AskSettings = {
  /** Over all questions, servers and repetitions. */
  deadlineMs?: number;
  /** Name servers as `address` or `address:port`; the system's unless given. */
  servers?: readonly string[];
  /** Names that are known without asking. */
  hostsFile?: string;
};

/** More than anybody serves from; an answer of thousands would have us busy with checking it. */
const MOST_ADDRESSES = 64;

/** A lost packet costs a second, not the attempt. */
const PATIENCE = { timeout: 1_000, tries: 3 };

/** For this long the hosts file is taken to be as it was read: at a thousand posts a second it is read once. */
const HOSTS_KEPT_MS = 1_000;

/** The hosts file is read, then the system's name servers are asked for just this name, without a list of suffixes. */
export function createAsk({ deadlineMs = 5_000, servers, hostsFile = "/etc/hosts" }: AskSettings = {}): Ask {
  const hosts = keptFor(HOSTS_KEPT_MS, () => readHosts(hostsFile));

  return async (hostname) => {
    const name = hostname.replace(/\.$/, "").toLowerCase();
    const known = (await hosts()).get(name);
    if (known) return known;
    if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"].map(asAddress); // RFC 6761

    const resolver = new Resolver(PATIENCE); // one for each question: it takes up new settings, and is cancelled alone
    if (servers) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
    // A name of one family answers "no data" for the other; a family that does not answer is one we don't connect to.
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    clearTimeout(deadline);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    return addresses.length > MOST_ADDRESSES ? [] : addresses.map(asAddress);
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

function keptFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (!kept || performance.now() > kept.until) kept = { value: read(), until: performance.now() + ms };
    return kept.value;
  };
}

function asAddress(address: string): LookupAddress {
  return { address, family: isIP(address) };
}
