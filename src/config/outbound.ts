/** Settings of outbound connections: webhooks, mail, models. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { isSender } from "../contract/email.ts";
import { type AllowedRanges, parseRanges } from "../delivery/address.ts";
import { type AllowedHosts, parseHosts } from "../delivery/host-names.ts";
import { type ForwardProxy, parseProxy } from "../delivery/proxy.ts";
import type { AllowedTargets } from "../delivery/webhook-url.ts";
import { httpUrl, numberIn, parsed, withoutSlash } from "./kinds.ts";

export const outboundSettings = z.object({
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" }).optional(),
  MAIL_FROM: z
    .string()
    .refine(isSender, "must be a sender, such as Botstead <mail@example.com>")
    .default("Botstead <botstead@localhost>"),
  WEBHOOK_ALLOW_RANGES: parsed(parseRanges).prefault(""),
  WEBHOOK_ALLOW_HOSTS: parsed(parseHosts).prefault(""),
  WEBHOOK_CA_FILE: parsed(readCertificates).optional(),
  WEBHOOK_PROXY: parsed(parseProxy).optional(),
  MODEL_BASE_URL: httpUrl,
  MODEL_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces")
    .optional(),
  MODEL_IDLE_TIMEOUT_SECONDS: numberIn(1, 300, "must be a whole number from 1 to 300").default(60),
  MODEL_TURN_TIMEOUT_SECONDS: numberIn(1, 600, "must be a whole number from 1 to 600").default(180),
});

/** A service with the Chat Completions protocol. */
export type ModelSettings = {
  baseUrl: string;
  apiKey: string | undefined;
  timeouts: { idleTimeoutMs: number; turnTimeoutMs: number };
};

export type OutboundConfig = {
  smtpUrl: string | undefined;
  mailFrom: string;
  webhooks: {
    allowed: AllowedRanges;
    allowedHosts: AllowedHosts;
    extraCa: string | undefined;
    proxy: ForwardProxy | undefined;
  };
  /** Unset: only the built-in engine recall. */
  models: ModelSettings | undefined;
};

/** The private targets that endpoints may have. */
export const targetsOf = ({ webhooks }: Pick<OutboundConfig, "webhooks">): AllowedTargets => ({
  ranges: webhooks.allowed,
  hosts: webhooks.allowedHosts,
});

/** Settings that need others, a sentence each. */
export function outboundFaults(given: NodeJS.ProcessEnv): string[] {
  return given.MODEL_API_KEY && !given.MODEL_BASE_URL
    ? ["MODEL_BASE_URL must be set when MODEL_API_KEY is: it says which service the key is for."]
    : [];
}

export function outboundConfig(value: z.infer<typeof outboundSettings>): OutboundConfig {
  return {
    smtpUrl: value.SMTP_URL,
    mailFrom: value.MAIL_FROM,
    webhooks: {
      allowed: value.WEBHOOK_ALLOW_RANGES,
      allowedHosts: value.WEBHOOK_ALLOW_HOSTS,
      extraCa: value.WEBHOOK_CA_FILE,
      proxy: value.WEBHOOK_PROXY,
    },
    models: value.MODEL_BASE_URL
      ? {
          baseUrl: withoutSlash(value.MODEL_BASE_URL),
          apiKey: value.MODEL_API_KEY,
          timeouts: {
            idleTimeoutMs: value.MODEL_IDLE_TIMEOUT_SECONDS * 1000,
            turnTimeoutMs: value.MODEL_TURN_TIMEOUT_SECONDS * 1000,
          },
        }
      : undefined,
  };
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(code === "ENOENT" ? "the file does not exist." : `its file can't be read (${code}).`);
  }
}
