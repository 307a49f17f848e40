/** The kinds of events that a command names. */
import leven from "leven";
import { eventKinds } from "../contract/event-kinds.ts";
import { Usage } from "./usage.ts";

export type Kind = keyof typeof eventKinds;

const kinds = Object.keys(eventKinds) as Kind[];

/** @throws Usage with the most similar kind, or with all of them if there is no word */
export function kindOf(word: string): Kind {
  const known = kinds.find((kind) => kind === word);
  if (known) return known;
  if (!word) throw new Usage(`Name an event: ${kinds.join(", ")}.`);
  const [nearest] = [...kinds].sort((one, other) => leven(word, one) - leven(word, other));
  throw new Usage(`There is no event ${word}. Did you mean ${nearest}? "botstead trigger" lists all events.`);
}
