/** Plain texts for codes. */
import { fieldFault } from "../parts/texts/field-faults.ts";
import type { Failure } from "./graphql.ts";

const refusals: Record<string, string> = {
  forbidden: "Your token can view only. Nothing was changed.",
  not_found: "It does not exist or was deleted. Nothing was changed.",
  conflict: "Its state does not allow this; it may have changed meanwhile. Nothing was changed.",
  invalid_request: "The input is invalid. Nothing was changed.",
  quota_exceeded: "A limit is reached. Nothing was changed.",
  rate_limited: "Too many requests. Nothing was changed. Wait a minute and try again.",
  csrf: "The page is older than the session. Nothing was changed. Reload the page and try again.",
  no_response: "No response arrived, so the result is unknown. Check the audit log before you try again.",
};

/** The refusal of an action in sentences, with the faults of the input. @param labels of the fields, by name */
export function failureText({ code, message, details = [] }: Failure, labels: Record<string, string>): string {
  const sentence = refusals[code];
  if (!sentence) return message;
  if (code !== "invalid_request") return sentence;
  const faults = details.map(({ path, message }) => `${labels[path] ?? path}: ${fieldFault(message)}`);
  return [sentence, ...(faults.length > 0 ? faults : [message])].join(" ");
}

/** Failure codes of attempts and deliveries. */
const failures: Record<string, string> = {
  address: "the address is not public",
  dns: "its host name did not resolve",
  redirect: "it responded with a redirect",
  size: "its response was too large",
  timeout: "no complete response in time",
  transport: "the connection or TLS failed",
  scheme: "its URL is not https",
  secret: "the master key does not open its secret",
};

export function outcome(statusCode: number | null | undefined, failure: string | null | undefined): string {
  if (statusCode) return `HTTP ${statusCode}`;
  return failure ? `${failure}: ${failures[failure] ?? "no response"}` : "–";
}
