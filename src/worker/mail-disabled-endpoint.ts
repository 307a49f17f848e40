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
    first: "Look what it answered, and set it right:",
  },
  gone: {
    because: "it answered 410, by which a receiver says that it wants no more",
    first: "If that was meant, there is nothing to do. If not, look what it answered:",
  },
  operator: {
    because: "an operator of Botstead has switched it off",
    first: "Ask your operator why. What was sent, and what came of it:",
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
      `  Last arrived:  ${lastDeliveryAt ? dayAndTime(lastDeliveryAt) : "nothing ever"}`,
      "",
      "What you can do, with an API key of scope admin:",
      "",
      `1. ${first}`,
      `   GET ${webhook}/deliveries`,
      "",
      "2. Have events sent to it again:",
      `   PATCH ${webhook}`,
      '   {"state":"active"}',
      "",
      "3. Have sent what it missed, first what failed, then what was not tried:",
      `   POST ${webhook}/recover`,
      "   with an Idempotency-Key of its own for each, and",
      `   {"since":"${failedSince}","include":"failed"}`,
      `   {"since":"${disabledAt}","include":"missing"}`,
      "",
      `You get this mail because you are an owner or an admin of ${organisation}.`,
    ),
  };
}
