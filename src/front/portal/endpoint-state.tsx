/** The state of an endpoint. An active endpoint is shown as failing from its first failed attempt on. */
import { State } from "../parts/badge.tsx";
import { Time } from "../parts/time.tsx";
import type { Schemas } from "./schemas.ts";
import { endpointTexts as texts } from "./texts/endpoints.ts";

type Endpoint = Schemas["Webhook"];

/** For lists and exports. */
export function stateText({ state, secretLostSince, failingSince }: Endpoint): string {
  if (state === "disabled") return state;
  if (secretLostSince !== null) return "secret_lost";
  return state === "active" && failingSince !== null ? "failing" : state;
}

/** Whether it receives nothing, or will not soon, and no person wants that. */
export const needsAttention = (endpoint: Endpoint): boolean => !["active", "paused"].includes(stateText(endpoint));

export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  return <State state={stateText(endpoint)} />;
}

/** Why the endpoint receives nothing, or will soon. */
export function EndpointNotice({ endpoint }: { endpoint: Endpoint }) {
  const { failingSince, consecutiveFailures, secretLostSince } = endpoint;
  const state = stateText(endpoint);
  if (state === "disabled") return <p class="notice bad">{texts.disabledText}</p>;
  if (state === "paused") return <p class="notice warn">{texts.pausedText}</p>;
  if (state === "active") return null;
  return (
    <p class="notice bad">
      {state === "failing" ? texts.failingText : texts.secretLostText}{" "}
      <Time at={state === "failing" ? failingSince : secretLostSince} relativeToo />.{" "}
      {state === "failing" ? texts.failuresText(consecutiveFailures) : texts.rotateText}
    </p>
  );
}
