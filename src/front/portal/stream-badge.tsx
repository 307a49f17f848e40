/** Whether a page shows changes as they happen. */
import { Badge } from "../parts/badge.tsx";
import type { StreamState } from "../parts/event-stream.ts";
import { frameTexts as texts } from "./texts/frame.ts";

const tones = { connecting: "neutral", live: "good", reconnecting: "warn", ended: "neutral", failed: "warn" } as const;

export function StreamBadge({ state }: { state: StreamState }) {
  return <Badge kind={tones[state]}>{texts.stream[state]}</Badge>;
}
