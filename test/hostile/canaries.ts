/**
 * Canaries: a text or secret of each kind that passes through the service, and the places where it rightly stays. Whatever
 * names no place belongs nowhere: it was shown once, mailed, or never accepted.
 */
import { randomUUID } from "node:crypto";
import { type Needle, needlesOf, needlesOfBytes } from "./needles.ts";

const made = (what: string) => `canary-${what}-${randomUUID().slice(0, 8)}`;

/** What is said, and by which columns it is kept; of a claim its words are kept a second time, to be searched. */
export const words = {
  message: made("message"),
  claim: made("claim"),
  subject: made("subject"),
  botName: made("bot"),
  instructions: made("instructions"),
  invited: `${made("ivy")}@example.test`,
  tokenInUrl: made("token-in-url"),
  hookMessage: made("hook"),
};

export const belongs: Record<keyof typeof words, RegExp> = {
  message: /^app\.messages\.text$/,
  // Bots answer with what they recall; and an answer is kept for a day, for who sends the same again.
  claim: /^app\.(memories|memory_history)\.\w+$|^app\.messages\.text$|^app\.idempotency_records\.body$/,
  subject: /^app\.(memories|memory_history)\.\w+$|^app\.messages\.text$|^app\.idempotency_records\.body$/,
  botName: /^app\.(bots\.name|mails\.data|idempotency_records\.body)$/,
  instructions: /^app\.bots\.instructions$|^app\.idempotency_records\.body$/,
  invited:
    /^app\.(invitations\.email|invitations\.email_key|mails\.recipient|mails\.recipient_key|idempotency_records\.body)$/,
  tokenInUrl: /^app\.(webhook_endpoints\.url|idempotency_records\.body)$/,
  hookMessage: /^app\.messages\.text$/,
};

/** What is sent and taken by nobody, or kept as a digest: none of it is to be found anywhere. */
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

/** Secrets that the service makes, as they are shown; filled in as they are. */
export const secrets: Record<string, string> = {};

/** The first twelve characters of a credential may be shown: what is looked for begins after them. */
const hiddenPart = (text: string): string => (/^bs[a-z]_/.test(text) ? text.slice(12) : text);

export function needlesOfSecrets(): Needle[] {
  return [
    ...Object.entries(unkept).flatMap(([what, text]) => needlesOf(what, text)),
    ...Object.entries(secrets).flatMap(([what, text]) => {
      const ofText = needlesOf(what, hiddenPart(text));
      if (!text.startsWith("whsec_")) return ofText;
      return [...ofText, ...needlesOfBytes(what, Buffer.from(text.slice("whsec_".length), "base64"))];
    }),
  ];
}

export const needlesOfWords = (): Needle[] => Object.entries(words).flatMap(([what, text]) => needlesOf(what, text));
