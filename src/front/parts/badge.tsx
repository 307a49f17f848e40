/** A state as a coloured word. The word alone is enough to understand it. */
import type { ComponentChildren } from "preact";
import { partTexts } from "./texts.ts";

export type Tone = "good" | "bad" | "warn" | "busy" | "neutral";

const tones: Record<string, Tone> = {
  active: "good",
  live: "good",
  completed: "good",
  delivered: "good",
  accepted: "good",
  approved: "good",
  alive: "good",
  sent: "good",
  queued: "busy",
  running: "busy",
  pending: "busy",
  open: "busy",
  trial: "busy",
  waiting: "busy",
  waiting_approval: "warn",
  blocked: "warn",
  paused: "warn",
  paused_limit: "warn",
  failed: "bad",
  disabled: "bad",
  failing: "bad",
  secret_lost: "bad",
  silent: "bad",
  none: "bad",
  suspended: "bad",
  past_due: "bad",
};

export const toneOf = (state: string): Tone => tones[state] ?? "neutral";

export function Badge({ kind, children }: { kind: Tone; children: ComponentChildren }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** A state of the API, for example `waiting_approval`. */
export function State({ state }: { state: string }) {
  return <Badge kind={toneOf(state)}>{partTexts.states[state] ?? state.replaceAll("_", " ")}</Badge>;
}
