/** Memories for an answer. Of memories in conflict an engine passes both on, and which is newer. It does not decide between them. */
import type { MemoryMatch } from "../engine.ts";

export type Known = Pick<
  MemoryMatch,
  "id" | "kind" | "subject" | "value" | "confidence" | "createdAt" | "validFrom"
> & {
  /** Missing without a conflict. The newest of memories in conflict was created last. */
  conflict?: "newest" | "older" | undefined;
};

/** The matches, best first. A match in conflict is followed by the newest memory that contradicts it, unless one is a match itself. */
export function knownFrom(matches: MemoryMatch[], maximum: number): Known[] {
  const known: Known[] = [];
  const ids = new Set(matches.map(({ id }) => id));
  for (const { conflictsWith, rank: _, ...match } of matches) {
    const [other] = conflictsWith;
    const isNewest = !other || match.id > other.id; // ids are in the order of creation
    known.push({ ...match, conflict: other && (isNewest ? "newest" : "older") });
    if (!other || conflictsWith.some(({ id }) => ids.has(id))) continue;
    ids.add(other.id);
    known.push({ ...match, ...other, conflict: isNewest ? "older" : "newest" });
  }
  return known.slice(0, maximum);
}
