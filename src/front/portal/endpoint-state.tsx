/** The state of an endpoint. An active endpoint whose deliveries fail is shown as failing. */
import { State } from "../parts/badge.tsx";
import type { LoadedList } from "../parts/list.ts";
import { useCount } from "./counts.ts";
import type { Schemas } from "./schemas.ts";
import { endpointTexts as texts } from "./texts/endpoints.ts";
import { frameTexts as portalTexts } from "./texts/frame.ts";

type Endpoint = Schemas["Webhook"];

/** Reports failing and disabled endpoints for the navigation, of a list without filters. */
export function useEndpointCount(list: LoadedList<Endpoint>): void {
  const rows = list.rows.filter((endpoint) => endpoint.state === "disabled" || isFailing(endpoint));
  useCount("endpoints", { ...list, rows }, portalTexts.counts.endpoints);
}

const isFailing = ({ state, consecutiveFailures }: Endpoint) => state === "active" && consecutiveFailures > 0;

/** For lists and exports. */
export const stateText = (endpoint: Endpoint): string => (isFailing(endpoint) ? texts.failing : endpoint.state);

export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  return <State state={stateText(endpoint)} />;
}

/** Why the endpoint receives nothing, or will soon. */
export function EndpointNotice({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.state === "disabled") return <p class="notice bad">{texts.disabledText}</p>;
  if (endpoint.state === "paused") return <p class="notice warn">{texts.pausedText}</p>;
  if (isFailing(endpoint)) return <p class="notice bad">{texts.failingText(endpoint.consecutiveFailures)}</p>;
  return null;
}
