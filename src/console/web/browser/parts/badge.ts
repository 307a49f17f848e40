/** A state as a coloured word. The word alone is enough to understand it. */
import { html } from "../html.ts";

export type Tone = "good" | "busy" | "warn" | "bad" | "idle";

const tones: Record<string, Tone> = {
  // runs
  queued: "busy",
  running: "busy",
  waiting_approval: "warn",
  blocked: "warn",
  paused_limit: "warn",
  completed: "good",
  failed: "bad",
  cancelled: "idle",
  // endpoints, keys, invitations
  active: "good",
  paused: "warn",
  disabled: "bad",
  deleted: "idle",
  live: "good",
  revoked: "idle",
  expired: "idle",
  open: "busy",
  accepted: "good",
  // deliveries
  pending: "busy",
  delivered: "good",
  // billing
  trial: "busy",
  none: "bad",
  past_due: "bad",
  suspended: "bad",
  // executors and workers
  alive: "good",
  silent: "bad",
  stopped: "idle",
  // emails
  waiting: "busy",
  sent: "good",
};

export function badge(state: string, tone: Tone = tones[state] ?? "idle") {
  return html`<span class=${`badge ${tone}`}>${state.replaceAll("_", " ")}</span>`;
}
