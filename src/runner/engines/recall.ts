/** The engine `recall` answers with the memories that match the message. It is offline, deterministic and free of charge. */
import type { Engine } from "../engine.ts";
import { type Known, knownFrom } from "./known.ts";

/** More memories would hide the best ones. */
const maxMemories = 5;
/** Memories below this share of the best rank are dropped: they match by chance, in a single word. */
const minShareOfBest = 0.3;

export const recallEngine: Engine = {
  models: async () => ["recall"],
  async answer({ message }, context) {
    await context.step({ kind: "recall" });
    const found = await context.searchMemories(message, maxMemories);
    const best = found[0]?.rank ?? 0;
    const matches = found.filter(({ rank }) => rank >= best * minShareOfBest);
    const used = knownFrom(matches, maxMemories);
    await context.step({ kind: "answer" });
    return { text: compose(used), memoryIds: used.map(({ id }) => id) };
  },
};

function compose(memories: Known[]): string {
  if (memories.length === 0) return "I know nothing about that: no memory that I may read matches.";
  return ["This is what I was told:", ...memories.map(line)].join("\n");
}

const contradicted = {
  newest: "the newest of memories that contradict each other",
  older: "contradicted by a newer memory",
};

function line({ id, kind, subject, value, confidence, createdAt, conflict }: Known): string {
  const doubt = confidence < 1 ? `, ${Math.round(confidence * 100)} % sure` : "";
  const doubted = conflict ? `; recorded ${createdAt.slice(0, 10)}, ${contradicted[conflict]}` : "";
  return `- ${subject}: ${value} (${kind}${doubt}${doubted}; memory ${id})`;
}
