/** Verifies the chains of an export: each entry's hash covers the hash of the previous one. */
import { hash } from "node:crypto";
import type { FaultKind } from "../fault.ts";
import type { ChainRow, EntryRow } from "./rows.ts";

type Report = (organisationId: string, sequence: number, fault: FaultKind, last?: number) => void;

export type ChainVerifier = {
  /** Entries of an organisation in order, one organisation after the other. */
  entry(row: EntryRow): void;
  end(): void;
};

export function openChains(chains: ChainRow[], report: Report): ChainVerifier {
  const rest = new Map(chains.map((chain) => [chain.organisationId, chain]));
  let chain: ChainRow | undefined;
  let previous = { sequence: 0, hash: "" };
  let isProven = true;

  function leave(): void {
    if (!chain) return;
    const { organisationId: of, headSequence, headHash } = chain;
    if (headSequence === null) report(of, previous.sequence, "head");
    else if (previous.sequence < headSequence) report(of, previous.sequence + 1, "removed", headSequence);
    else if (previous.sequence > headSequence) report(of, headSequence + 1, "inserted", previous.sequence);
    else if (previous.hash !== headHash) report(of, headSequence, "head");
    if (!isProven) report(of, 1, "truncation", chain.truncatedSequence);
  }

  function enter(next: ChainRow | undefined): void {
    leave();
    chain = next;
    if (!next) return;
    rest.delete(next.organisationId);
    previous = { sequence: next.truncatedSequence, hash: next.truncatedHash };
    isProven = next.truncatedSequence === 0;
  }

  return {
    entry(row) {
      if (row.organisationId !== chain?.organisationId) enter(rest.get(row.organisationId));
      const { organisationId: of, sequence, id, content } = row;
      if (sequence > previous.sequence + 1) report(of, previous.sequence + 1, "removed", sequence - 1);
      else if (sequence <= previous.sequence) report(of, sequence, "inserted");
      else if (content !== null && row.hash !== entryHash(previous.hash, row, content)) report(of, sequence, "altered");
      isProven ||= id === chain?.truncationId && (content === null || records(content, chain));
      previous = row;
    },
    end() {
      enter(undefined);
      for (const without of [...rest.values()]) enter(without);
      leave();
    },
  };
}

/** The same bytes as audit.entry_hash. */
export function entryHash(
  previous: string,
  { organisationId, sequence, id }: Pick<EntryRow, "organisationId" | "sequence" | "id">,
  content: string,
): string {
  const text = Buffer.from(`${organisationId}\n${sequence}\n${id}\n${content}`);
  return hash("sha256", Buffer.concat([Buffer.from(previous, "hex"), text]), "hex");
}

/** Whether the content belongs to the entry that records the chain's truncation. */
function records(content: string, { truncatedSequence, truncatedHash }: ChainRow): boolean {
  const [resource, , , before = ""] = content.split("\n").slice(-5); // before them, a reason can have line breaks
  if (resource !== "audit_log") return false;
  const { throughSequence, throughHash, deletion } = JSON.parse(before) as Record<string, unknown>;
  // The entries of a deleted organisation are removed in parts.
  if (deletion === true && Number(throughSequence) > truncatedSequence) return true;
  return throughSequence === truncatedSequence && throughHash === truncatedHash;
}
