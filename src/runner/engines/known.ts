/** Memories for an answer. Of memories in conflict an engine passes both on, and which is newer. It does not decide between them. */
import type { MemoryMatch } from "../engine.ts";

export type Known = Pick<
  MemoryMatch,
  "id" | "kind" | "subject" | "value" | "confidence" | "createdAt" | "validFrom"
> & {
  /** Missing without a conflict. The newest of memories in conflict was created last. */
  conflict?: "newest" | "older" | undefined;
};

/**
 * The matches, best first. A match in conflict is followed by the newest memory that contradicts it, unless that memory is before
 * it. If both do not fit into the maximum, both are left out.
 */
export function knownFrom(matches: MemoryMatch[], maximum: number): Known[] {
  const known = new Map<string, Known>();
  for (const { conflictsWith, rank: _, ...match } of matches) {
    const [other] = conflictsWith;
    const isNewest = !other || match.id > other.id; // ids are in the order of creation
    const added: Known[] = [{ ...match, conflict: other && (isNewest ? "newest" : "older") }];
    const isContradicted = isNewest ? conflictsWith.some(({ id }) => known.has(id)) : known.has(other.id);
    if (other && !isContradicted) added.push({ ...match, ...other, conflict: isNewest ? "older" : "newest" });
    if (known.has(match.id) || known.size + added.length > maximum) continue;
    for (const each of added) known.set(each.id, each);
  }
  return [...known.values()];
}
