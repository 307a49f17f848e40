/**
 * Counts refused credentials, for `audit.refused_credentials`. A refusal adds to a bounded map of the process. The database learns
 * of it with the next flush, which also finds out why it was refused. (sql/service/refused_credentials.sql)
 */
import type { Log } from "../log.ts";
import { type CredentialClass, classOf, digestOf } from "../secrets/credentials.ts";
import { type Flushing, flushRegularly } from "./flushing.ts";
import { networkOf } from "./head.ts";

export type RefusedCredential = {
  /** Null for text that is no credential of Botstead. */
  class: CredentialClass | "hook" | null;
  /** Not secret. Null unless the checksum is valid: other text can be a secret of another service. */
  prefix: string | null;
  /** SHA-256 in hex, to find the credential. It is not stored. */
  digest: string | null;
  hookId: string | null;
  address: string | null;
  /** Whether the operation needs a credential of another class. */
  isMisplaced: boolean;
  /** Whether the rate limit of the address refused it, so that it was perhaps not looked up. */
  isLimited: boolean;
  requests: number;
  firstAt: string;
  lastAt: string;
};

export type Refusal = Pick<RefusedCredential, "isMisplaced" | "isLimited"> & {
  /** A credential as it was presented, or the id of a hook whose signature was refused. */
  presented: { text: string } | { hookId: string };
  address: string | undefined;
};

export type RefusedCredentials = Flushing & { note(refusal: Refusal): void };

type Options = { maxEntries?: number; maxPerNetwork?: number; now?: () => number };

/** @param options `maxEntries` and `maxPerNetwork` bound what is kept until a flush; the rest is counted together */
export function countRefusedCredentials(
  send: (counts: RefusedCredential[]) => Promise<void>,
  log: Log,
  { maxEntries = 1_000, maxPerNetwork = 20, now = Date.now }: Options = {},
): RefusedCredentials {
  let entries = new Map<string, RefusedCredential>();
  /** Entries of each network. */
  let networks = new Map<string, number>();

  function add(refused: RefusedCredential): void {
    const network = refused.address === null ? "" : networkOf(refused.address);
    const keyOf = (of: RefusedCredential, from: string) =>
      [from, of.class, of.digest ?? of.hookId, of.isMisplaced, of.isLimited, of.firstAt.slice(0, 13)].join(" ");
    const rest = { ...refused, digest: null, hookId: null, prefix: null };
    const ways: [string, RefusedCredential][] = [
      [keyOf(refused, network), refused],
      [keyOf(rest, network), rest],
      [keyOf(rest, ""), { ...rest, address: null }],
    ];
    const isFull = (networks.get(network) ?? 0) >= maxPerNetwork;
    const [key, kept] =
      ways.find(([at], way) => entries.has(at) || (entries.size < maxEntries && (way > 0 || !isFull))) ?? ways[2] ?? [];
    if (key === undefined || kept === undefined) return;
    const found = entries.get(key);
    if (!found) networks.set(network, (networks.get(network) ?? 0) + 1);
    entries.set(key, {
      ...kept,
      requests: kept.requests + (found?.requests ?? 0),
      firstAt: found && found.firstAt < kept.firstAt ? found.firstAt : kept.firstAt,
      lastAt: found && found.lastAt > kept.lastAt ? found.lastAt : kept.lastAt,
    });
  }

  const flushing = flushRegularly<RefusedCredential>(
    {
      what: "refused credentials",
      drain() {
        const drained = [...entries.values()];
        entries = new Map();
        networks = new Map();
        return drained;
      },
      send,
      putBack: (unsent) => unsent.forEach(add),
    },
    log,
  );
  return {
    ...flushing,
    note({ presented, address, ...flags }) {
      const at = new Date(now()).toISOString();
      const withoutZone = address?.split("%")[0] ?? null; // inet has no zones
      add({ ...flags, ...identityOf(presented), address: withoutZone, requests: 1, firstAt: at, lastAt: at });
    },
  };
}

function identityOf(
  presented: Refusal["presented"],
): Pick<RefusedCredential, "class" | "prefix" | "digest" | "hookId"> {
  if ("hookId" in presented) return { class: "hook", prefix: null, digest: null, hookId: presented.hookId };
  const found = classOf(presented.text);
  if (!found) return { class: null, prefix: null, digest: null, hookId: null };
  const digest = digestOf(presented.text).toString("hex");
  return { class: found, prefix: presented.text.slice(0, 12), digest, hookId: null };
}
