/** The mail about a disabled stream of the audit log. (sql/triggers/audit_streams.sql) */
import { dayAndTime, lines, onOneLine, quoted, type Wording } from "./mail-text.ts";

export type DisabledStream = {
  organisation: string;
  host: string;
  reason: "consecutive_failures" | "gone" | "operator";
  disabledAt: string;
  lastDeliveryAt: string | null;
};

const reasons: Record<DisabledStream["reason"], string> = {
  consecutive_failures: "ten rounds of attempts in a row have failed",
  gone: "its receiver answered 410",
  operator: "an operator of Botstead disabled it",
};

/** @param api the address that the paths of the API follow */
export function wordDisabledStream(stream: DisabledStream, api: string): Wording {
  const { reason, disabledAt, lastDeliveryAt } = stream;
  const organisation = quoted(stream.organisation);
  return {
    subject: "The stream of an audit log on Botstead has stopped",
    text: lines(
      "Hello,",
      "",
      `Botstead sends the audit log of the organisation ${organisation}`,
      "no longer to its receiver,",
      `since ${reasons[reason]}.`,
      "",
      `  Host:          ${onOneLine(stream.host)}`,
      `  Disabled:      ${dayAndTime(disabledAt)}`,
      `  Last success:  ${lastDeliveryAt ? dayAndTime(lastDeliveryAt) : "never"}`,
      "",
      "Entries wait until the retention of the audit log drops them.",
      "What you can do, with an API key of scope admin:",
      "",
      "1. See the last failure, and correct it:",
      `   GET ${api}/audit/stream`,
      "",
      "2. Enable the stream again. It continues where it stopped:",
      `   PATCH ${api}/audit/stream`,
      '   {"state":"active"}',
      "",
      `You get this mail because you are an owner or an admin of ${organisation}.`,
    ),
  };
}
