/** The bearer token of a request. */
import type { IncomingMessage } from "node:http";

/** Undefined without the header; empty if the header holds no bearer token. */
export function bearerOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return authorization === undefined ? undefined : (/^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "");
}
