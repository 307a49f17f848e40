/** The mail about an API key that will expire. (sql/jobs/expiring_keys.sql) */
import { dayAndTime, lines, onOneLine, quoted, type Wording } from "./mail-text.ts";

export type ExpiringKey = {
  organisation: string;
  keyId: string;
  name: string;
  prefix: string;
  scope: "read" | "write" | "admin";
  /** Name or address of the person whose key it is. */
  person: string;
  expiresAt: string;
};

/** @param api the address that the paths of the API follow */
export function wordExpiringKey({ keyId, scope, expiresAt, ...key }: ExpiringKey, api: string): Wording {
  const organisation = quoted(key.organisation);
  return {
    subject: "An API key on Botstead will expire",
    text: lines(
      "Hello,",
      "",
      `an API key of the organisation ${organisation} on Botstead`,
      `expires on ${dayAndTime(expiresAt)}. Calls with it are refused from then on.`,
      "",
      `  Name:     ${quoted(key.name)}`,
      `  Begins:   ${onOneLine(key.prefix)}`,
      `  Scope:    ${scope}`,
      `  Person:   ${quoted(key.person)}`,
      `  Id:       ${keyId}`,
      "",
      "What you can do, with an API key of scope admin:",
      "",
      "1. See when it was last used:",
      `   GET ${api}/keys/${keyId}`,
      "",
      "2. Replace it by a new key, which lives as long. The old one works for up to 24 h more:",
      `   POST ${api}/keys/${keyId}/rotate`,
      "   with a new Idempotency-Key, and",
      '   {"overlapHours":24}',
      "",
      "If nothing uses the key, there is nothing to do.",
      "",
      `You get this mail because you are an owner or an admin of ${organisation}.`,
    ),
  };
}
