/** Kinds of values that several settings share. Messages never repeat a value: it may be a secret in the wrong variable. */
import { z } from "zod";

/** A whole number. */
export function numberIn(min: number, max: number, message: string) {
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
}

export const port = numberIn(0, 65_535, "must be a port number from 0 to 65535");

export const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional();

export const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" }).optional();

/** 32 bytes in base64. */
export function key(message: string) {
  return z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, message)
    .optional();
}

/** Parses the text. @param parse throws an Error whose message is a sentence */
export function parsed<T>(parse: (text: string) => T) {
  return z.string().transform((text, context): T => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue((error as Error).message);
      return z.NEVER;
    }
  });
}

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
