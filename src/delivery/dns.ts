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

/** The hosts file is read, then the system's name servers are asked for just this name, without a list of suffixes. */
export function createAsk({ deadlineMs = 5_000, servers, hostsFile = "/etc/hosts" }: AskSettings = {}): Ask {
  return async (hostname) => {
    const name = hostname.replace(/\.$/, "").toLowerCase();
    const known = await readHosts(hostsFile, name);
    if (known.length > 0) return known;
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

async function readHosts(file: string, name: string): Promise<LookupAddress[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return isIP(address) && names.some((each) => each.toLowerCase() === name) ? [asAddress(address)] : [];
  });
}

function asAddress(address: string): LookupAddress {
  return { address, family: isIP(address) };
}
