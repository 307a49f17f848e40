/**
 * Canaries: one text or secret of each kind that passes through the service, and the columns where it may be stored. A
 * canary without an expected place was shown once, mailed or never accepted, and must be found nowhere.
 */
import { randomUUID } from "node:crypto";
import { type Pattern, patternsOf, patternsOfBytes } from "./patterns.ts";

const made = (what: string) => `canary-${what}-${randomUUID().slice(0, 8)}`;

/** Texts that the service stores. */
export const words = {
  message: made("message"),
  memory: made("memory"),
  subject: made("subject"),
  botName: made("bot"),
  instructions: made("instructions"),
  invited: `${made("ivy")}@example.test`,
  tokenInUrl: made("token-in-url"),
  hookMessage: made("hook"),
  comment: made("comment"),
  metadata: made("metadata"),
  stepResult: made("step-result"),
  concurrencyKey: made("concurrency-key"),
};

/** A memory in an answer, in a result of a step, and in an idempotent response, which is stored for a day. */
const quoted =
  /^app\.(memories|memory_history)\.\w+$|^app\.(messages\.text|step_results\.result|idempotency_records\.body)$/;

export const expectedPlaces: Record<keyof typeof words, RegExp> = {
  message: /^app\.messages\.text$/,
  memory: quoted,
  subject: quoted,
  botName: /^app\.(bots\.name|mails\.data|idempotency_records\.body)$/,
  instructions: /^app\.bots\.instructions$|^app\.idempotency_records\.body$/,
  invited:
    /^app\.(invitations\.email|invitations\.email_key|mails\.recipient|mails\.recipient_key|idempotency_records\.body)$/,
  tokenInUrl: /^app\.(webhook_endpoints\.url|audit_streams\.url|idempotency_records\.body)$/,
  hookMessage: /^app\.messages\.text$/,
  comment: /^app\.approvals\.comment$/,
  stepResult: /^app\.step_results\.result$/,
  concurrencyKey: /^app\.(runs\.concurrency_key|idempotency_records\.body)$/,
  metadata: /^app\.(run_metadata\.value|idempotency_records\.body)$/,
};

/** Refused texts, credentials of the configuration, and keys stored only as a digest. A scan must find none of them. */
export const unkept = {
  idempotencyKey: made("idempotency"),
  path: made("path"),
  query: made("query"),
  malformed: made("malformed"),
  wrongKey: `bsk_${made("wrong")}`,
  modelKey: made("model-key"),
  modelAnswer: made("model-answer"),
  smtpPassword: made("smtp-password"),
  proxyPassword: made("proxy-password"),
  unpaid: made("unpaid"),
  uninvited: `${made("una")}@example.test`,
};

/** Secrets that the service creates; each is added when a response shows it. */
export const secrets: Record<string, string> = {};

/** The first 12 characters of a credential may be shown, so the pattern begins after them. */
const hiddenPart = (text: string): string => (/^bs[a-z]_/.test(text) ? text.slice(12) : text);

export function patternsOfSecrets(): Pattern[] {
  return [
    ...Object.entries(unkept).flatMap(([what, text]) => patternsOf(what, text)),
    ...Object.entries(secrets).flatMap(([what, text]) => {
      const ofText = patternsOf(what, hiddenPart(text));
      if (!text.startsWith("whsec_")) return ofText;
      return [...ofText, ...patternsOfBytes(what, Buffer.from(text.slice("whsec_".length), "base64"))];
    }),
  ];
}

export const patternsOfTexts = (): Pattern[] => Object.entries(words).flatMap(([what, text]) => patternsOf(what, text));
