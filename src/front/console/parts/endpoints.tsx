/** How the console names an endpoint. */
import { linkTo } from "./rows.tsx";

export type Endpoint = { id: string; host: string; path: string | null; description: string | null };

/** Of the URL, operators see the host and the words of the path. Endpoints of one host also differ by description. */
export const addressOf = ({ host, path }: Omit<Endpoint, "id">): string => (path ? `${host}/${path}` : host);

export function EndpointName(endpoint: Endpoint) {
  const { id, description } = endpoint;
  return (
    <span>
      {linkTo("endpoints", id, description ?? addressOf(endpoint))}
      {description && <span class="sub">{addressOf(endpoint)}</span>}
    </span>
  );
}
