/**
 * How the console refuses: one shape for all, GraphQL's own, so that whoever reads an answer reads one shape.
 */
import type { Response } from "express";
import { type Detail, type RefusalCode, refusals } from "../contract/refusals.ts";

/** Refusals of the console that the API has no word for. */
const ownRefusals = {
  misdirected: {
    status: 421,
    message: "The console does not answer to this name; CONSOLE_BASE_URL says which it has.",
  },
  cross_site: { status: 403, message: "Another site's page asked for this." },
  csrf: { status: 403, message: "A session's call needs the header x-csrf-token that GET /session tells." },
  query_too_large: { status: 400, message: "The query asks for more than is bounded." },
  too_slow: { status: 503, message: "The database took longer than a query may; ask for less." },
} as const;

export type ConsoleCode = RefusalCode | keyof typeof ownRefusals;

export function worded(code: ConsoleCode): { status: number; message: string } {
  return { ...refusals, ...ownRefusals }[code];
}

export class Refusal extends Error {
  readonly code: ConsoleCode;
  readonly headers: Record<string, string>;
  readonly details: Detail[] | undefined;
  constructor(code: ConsoleCode, headers: Record<string, string> = {}, message?: string, details?: Detail[]) {
    super(message ?? worded(code).message);
    this.code = code;
    this.headers = headers;
    this.details = details;
  }
}

export function refuse(response: Response, { code, headers, message, details }: Refusal): void {
  response
    .status(worded(code).status)
    .set(headers)
    .json({ errors: [{ message, extensions: { code, ...(details ? { details } : {}) } }] });
}
