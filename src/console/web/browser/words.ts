/** What codes mean, in words for whoever is awake at three in the morning. */
import type { Failure } from "./graphql.ts";

const refusals: Record<string, string> = {
  forbidden: "Your token may look, and not act. Nothing was changed.",
  not_found: "It is no longer there, or never was. Nothing was changed.",
  conflict: "It is not in a state in which this can be done; it may have changed meanwhile. Nothing was changed.",
  invalid_request: "What was entered can't be used. Nothing was changed.",
  quota_exceeded: "A ceiling stands against it. Nothing was changed.",
  rate_limited: "There were many calls from here. Nothing was changed: wait a minute and try again.",
  csrf: "This page is older than the session. Nothing was changed: reload the page and try again.",
  away: "There was no answer, so it is not known whether it was done. Look at the trail before you try again.",
};

/** The refusal in a sentence; what the server says of it stands behind, where that says more. */
export function plainly({ code, words }: Failure): string {
  const sentence = refusals[code];
  if (!sentence) return words;
  return code === "invalid_request" || code === "conflict" ? `${sentence} (${words})` : sentence;
}

/** What an attempt at a delivery, or a delivery, failed of. */
const failures: Record<string, string> = {
  address: "the address is not a public one",
  dns: "its name did not resolve",
  redirect: "it answered with a redirect",
  size: "its answer was too large",
  timeout: "no whole answer in time",
  transport: "the connection or TLS failed",
  scheme: "its URL is not https",
};

export function outcome(statusCode: number | null | undefined, failure: string | null | undefined): string {
  if (statusCode) return `HTTP ${statusCode}`;
  return failure ? `${failure}: ${failures[failure] ?? "no answer"}` : "–";
}

/** In the order in which they are shown. */
export const limitNames: Record<string, string> = {
  seats: "Seats",
  openInvitations: "Open invitations",
  liveKeys: "Live keys",
  liveWebhooks: "Live endpoints",
  liveHooks: "Inbound webhooks",
  liveRoutines: "Routines",
  runStartsPerHour: "Runs this hour, by scripts",
  routineStartsPerHour: "Runs this hour, by routines",
  webhookStartsPerHour: "Runs this hour, by webhooks",
  monthlySpendMicroCents: "Spent this month",
};
