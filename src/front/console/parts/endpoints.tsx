/** How the console names an endpoint and its state. */
import { badge } from "./badge.tsx";
import { shortId } from "./ids.ts";

export type EndpointState = { state: string; deletedAt?: string | null; degradedSince?: string | null };

/** An active endpoint whose attempts fail is no good state. */
export function stateOfEndpoint({ state, deletedAt, degradedSince }: EndpointState): string {
  if (deletedAt) return "deleted";
  return state === "active" && degradedSince ? "failing" : state;
}

export const endpointBadge = (endpoint: EndpointState) => badge(stateOfEndpoint(endpoint));

/** Of the URL only the host is known, so description and id tell endpoints of one host apart. */
export function EndpointName({ id, host, description }: { id: string; host: string; description?: string | null }) {
  return (
    <span>
      <a href={`/endpoints/${id}`}>{host}</a> <code class="quiet">{shortId(id)}</code>
      {description && <span class="sub">{description}</span>}
    </span>
  );
}
