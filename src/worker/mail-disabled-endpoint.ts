/** The mail about a disabled webhook endpoint. (sql/triggers/disabled_endpoints.sql) */
import { dayAndTime, lines, onOneLine, quoted, type Wording } from "./mail-text.ts";

export type DisabledEndpoint = {
  organisation: string;
  webhookId: string;
  host: string;
  description: string | null;
  reason: "consecutive_failures" | "gone" | "operator";
  disabledAt: string;
  lastDeliveryAt: string | null;
  /** Start of the failed deliveries to recover. Deliveries without an attempt are missing from `disabledAt` on. */
  failedSince: string;
};

const reasons: Record<DisabledEndpoint["reason"], { because: string; first: string }> = {
  consecutive_failures: {
    because: "ten deliveries in a row have failed, each after all of its attempts",
    first: "Find out why deliveries failed, and correct it:",
  },
  gone: {
    because: "it answered 410, which ends its deliveries",
    first: "If this was intended, there is nothing to do. Otherwise see its deliveries:",
  },
  operator: {
    because: "an operator of Botstead disabled it",
    first: "Ask your operator for the reason. See its deliveries:",
  },
};

/** @param api the address that the paths of the API follow */
export function wordDisabledEndpoint(endpoint: DisabledEndpoint, api: string): Wording {
  const { webhookId, reason, disabledAt, lastDeliveryAt, failedSince } = endpoint;
  const host = onOneLine(endpoint.host);
  const organisation = quoted(endpoint.organisation);
  const { because, first } = reasons[reason];
  const webhook = `${api}/webhooks/${webhookId}`;
  return {
    subject: "Deliveries to a webhook endpoint on Botstead have stopped",
    text: lines(
      "Hello,",
      "",
      `Botstead sends no more events of the organisation ${organisation}`,
      "to one of its webhook endpoints,",
      `since ${because}.`,
      "",
      `  Host:          ${host}`,
      ...(endpoint.description ? [`  Description:   ${quoted(endpoint.description)}`] : []),
      `  Endpoint:      ${webhookId}`,
      `  Disabled:      ${dayAndTime(disabledAt)}`,
      `  Last success:  ${lastDeliveryAt ? dayAndTime(lastDeliveryAt) : "never"}`,
      "",
      "What you can do, with an API key of scope admin:",
      "",
      `1. ${first}`,
      `   GET ${webhook}/deliveries`,
      "",
      "2. Enable it again:",
      `   PATCH ${webhook}`,
      '   {"state":"active"}',
      "",
      "3. Recover missed deliveries: the failed ones, then the missing ones:",
      `   POST ${webhook}/recover`,
      "   each with a new Idempotency-Key, and",
      `   {"since":"${failedSince}","include":"failed"}`,
      `   {"since":"${disabledAt}","include":"missing"}`,
      "",
      `You get this mail because you are an owner or an admin of ${organisation}.`,
    ),
  };
}
