/**
 * The engine `recall`: answers from the memories that the bot may read, and from nothing else. Offline, deterministic,
 * free of charge. It names each claim that it used, and says so when it knows nothing.
 */
import type { Claim, Engine } from "../engine.ts";

/** More would bury the best. */
const mostClaims = 5;
/** A claim that fits far worse than the best one is chance: it shares a word, not the matter. */
const leastShareOfBest = 0.3;

export const recallEngine: Engine = {
  models: async () => ["recall"],
  async answer({ message }, hands) {
    await hands.step({ kind: "recall" });
    const found = await hands.recall(message, mostClaims);
    const best = found[0]?.rank ?? 0;
    const used = found.filter(({ rank }) => rank >= best * leastShareOfBest);
    await hands.step({ kind: "answer" });
    return { text: compose(used), memoryIds: used.map(({ id }) => id) };
  },
};

function compose(claims: Claim[]): string {
  if (claims.length === 0) return "I know nothing about that: no claim that I may read speaks of it.";
  return ["This is what I was told:", ...claims.map(line)].join("\n");
}

function line({ id, kind, subject, value, confidence }: Claim): string {
  const doubt = confidence < 1 ? `, ${Math.round(confidence * 100)} % sure` : "";
  return `- ${subject}: ${value} (${kind}${doubt}; claim ${id})`;
}
