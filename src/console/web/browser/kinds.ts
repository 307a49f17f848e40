/** What there is, and where its page is. What has no page of its own is shown on its organisation's. */

export type Found = { kind: string; id: string; organisationId: string | null; label: string | null };

const own: Record<string, string> = {
  organisation: "organisations",
  person: "people",
  run: "runs",
  delivery: "deliveries",
  webhook_endpoint: "endpoints",
  request: "requests",
};

/** The tab of an organisation's page. */
const tabs: Record<string, string> = {
  api_key: "keys",
  invitation: "invitations",
  bot: "bots",
  routine: "routines",
  hook: "hooks",
  approval: "cards",
  mail: "mails",
  erasure: "erasures",
  act: "acts",
  conversation: "runs",
  memory: "summary",
};

export function foundAt({ kind, id, organisationId }: Found): string | undefined {
  if (own[kind]) return `/${own[kind]}/${id}`;
  if (kind === "executor") return "/work";
  return organisationId && tabs[kind] ? `/organisations/${organisationId}?tab=${tabs[kind]}` : undefined;
}

export const kindWords = (kind: string): string =>
  ({ api_key: "key", hook: "inbound webhook", webhook_endpoint: "endpoint", approval: "card" })[kind] ??
  kind.replaceAll("_", " ");
