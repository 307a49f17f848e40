/**
 * How the console refuses: one shape for all, GraphQL's own, so that whoever reads an answer reads one shape.
 */
import type { Response } from "express";
import { type RefusalCode, refusals } from "../contract/refusals.ts";

/** Refusals of the console that the API has no word for. */
const ownRefusals = {
  misdirected: {
    status: 421,
    message: "The console does not answer to this name; CONSOLE_BASE_URL says which it has.",
  },
  cross_site: { status: 403, message: "Another site's page asked for this." },
  csrf: { status: 403, message: "A session's call needs the header x-csrf-token that GET /session tells." },
} as const;

export type ConsoleCode = RefusalCode | keyof typeof ownRefusals;

export function worded(code: ConsoleCode): { status: number; message: string } {
  return { ...refusals, ...ownRefusals }[code];
}

export class Refusal extends Error {
  readonly code: ConsoleCode;
  readonly headers: Record<string, string>;
  constructor(code: ConsoleCode, headers: Record<string, string> = {}) {
    super(worded(code).message);
    this.code = code;
    this.headers = headers;
  }
}

export function refuse(response: Response, { code, headers }: Pick<Refusal, "code" | "headers">): void {
  const { status, message } = worded(code);
  response
    .status(status)
    .set(headers)
    .json({ errors: [{ message, extensions: { code } }] });
}
