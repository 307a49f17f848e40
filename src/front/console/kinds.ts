/** Pages of search results. Kinds without a page of their own lead to a tab of their organisation. */

export type SearchResult = {
  kind: string;
  id: string;
  organisationId: string | null;
  organisationName?: string | null;
  label: string | null;
};

const paths: Record<string, string> = {
  organisation: "organisations",
  person: "people",
  run: "runs",
  delivery: "deliveries",
  webhook_endpoint: "endpoints",
  request: "requests",
};

/** Tabs of the organisation page. */
const tabs: Record<string, string> = {
  api_key: "keys",
  invitation: "invitations",
  bot: "bots",
  routine: "routines",
  hook: "hooks",
  approval: "approvals",
  mail: "email",
  erasure: "erasures",
  operator_action: "operator-actions",
  conversation: "runs",
  memory: "summary",
};

export function pageOfResult({ kind, id, organisationId }: SearchResult): string | undefined {
  if (paths[kind]) return `/${paths[kind]}/${id}`;
  if (kind === "executor") return "/deliveries-and-runs";
  return organisationId && tabs[kind] ? `/organisations/${organisationId}?tab=${tabs[kind]}` : undefined;
}

export const kindLabel = (kind: string): string =>
  ({ api_key: "key", hook: "hook", webhook_endpoint: "endpoint" })[kind] ?? kind.replaceAll("_", " ");
