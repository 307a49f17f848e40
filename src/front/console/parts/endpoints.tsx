/** Names of endpoints in the console. */
import { linkTo } from "./rows.tsx";

export type Endpoint = { id: string; host: string; path: string | null; description: string | null };

/** Operators see the host and the words of the path, not the whole URL. Endpoints of one host also differ by description. */
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
