/** The state of an endpoint or of the audit stream. An active endpoint is shown as failing from its first failed attempt on. */
import { State } from "../parts/badge.tsx";
import { Time } from "../parts/time.tsx";
import type { Schemas } from "./schemas.ts";
import { endpointTexts as texts } from "./texts/endpoints.ts";

/** What an endpoint and the audit stream have in common. */
export type Receiver = Pick<
  Schemas["Webhook"],
  "state" | "failingSince" | "consecutiveFailures" | "secretLostSince" | "disabledReason"
>;
type Words = Pick<
  typeof texts,
  "failingText" | "failuresText" | "secretLostText" | "rotateText" | "disabledReasons" | "disabledText" | "pausedText"
>;

/** For lists and exports. */
export function stateText({ state, secretLostSince, failingSince }: Receiver): string {
  if (state === "disabled") return state;
  if (secretLostSince !== null) return "secret_lost";
  return state === "active" && failingSince !== null ? "failing" : state;
}

/** Whether it receives nothing, or will not soon, and no person wants that. */
export const needsAttention = (endpoint: Receiver): boolean => !["active", "paused"].includes(stateText(endpoint));

export function EndpointState({ endpoint }: { endpoint: Receiver }) {
  return <State state={stateText(endpoint)} />;
}

/** Why it receives nothing, or will soon. */
export function EndpointNotice({ endpoint, words = texts }: { endpoint: Receiver; words?: Words }) {
  const { failingSince, consecutiveFailures, secretLostSince, disabledReason } = endpoint;
  const state = stateText(endpoint);
  if (state === "disabled") {
    const reason = disabledReason && words.disabledReasons[disabledReason];
    return (
      <p class="notice bad">
        {words.disabledText[0]} {reason} {words.disabledText[1]}
      </p>
    );
  }
  if (state === "paused") return <p class="notice warn">{words.pausedText}</p>;
  if (state === "active") return null;
  return (
    <p class="notice bad">
      {state === "failing" ? words.failingText : words.secretLostText}{" "}
      <Time at={state === "failing" ? failingSince : secretLostSince} relativeToo />.{" "}
      {state === "failing" ? words.failuresText(consecutiveFailures) : words.rotateText}
    </p>
  );
}
