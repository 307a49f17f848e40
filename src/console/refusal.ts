/** Error responses of the console. All have GraphQL's error format. */
import type { Response } from "express";
import { type Detail, type RefusalCode, refusals } from "../contract/refusals.ts";

/** Codes that only the console has. */
const ownRefusals = {
  misdirected: {
    status: 421,
    message: "The console does not serve this host name. Set it in CONSOLE_BASE_URL.",
  },
  cross_site: { status: 403, message: "The request comes from a page of another site." },
  csrf: { status: 403, message: "A session needs the header x-csrf-token with the csrfToken of GET /session." },
  query_too_large: { status: 400, message: "The query exceeds a limit." },
  too_slow: {
    status: 503,
    message: "The query exceeded its time limit. Request less data, for example a shorter range of times.",
  },
} as const;

export type ConsoleCode = RefusalCode | keyof typeof ownRefusals;

export function statusAndMessage(code: ConsoleCode): { status: number; message: string } {
  return { ...refusals, ...ownRefusals }[code];
}

export class Refusal extends Error {
  readonly code: ConsoleCode;
  readonly headers: Record<string, string>;
  readonly details: Detail[] | undefined;
  constructor(code: ConsoleCode, headers: Record<string, string> = {}, message?: string, details?: Detail[]) {
    super(message ?? statusAndMessage(code).message);
    this.code = code;
    this.headers = headers;
    this.details = details;
  }
}

export function refuse(response: Response, { code, headers, message, details }: Refusal): void {
  response
    .status(statusAndMessage(code).status)
    .set(headers)
    .json({ errors: [{ message, extensions: { code, ...(details ? { details } : {}) } }] });
}
