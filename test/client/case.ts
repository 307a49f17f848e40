/** The form of cases.json. A text "$name.field" in it stands for a field of an earlier outcome or of the context. */
import type { Reply } from "./front.ts";

/** Settings of a client. Times are in milliseconds. */
export type ClientSettings = { baseUrl: string; key: string; [name: string]: unknown };

/** One call of a client, or one verification of a delivery. */
export type Step = {
  /** The operation's id. */
  call?: string;
  /** Defaults to "call", which returns the body. */
  how?: "call" | "response" | "list" | "pages" | "watch";
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  options?: { idempotencyKey?: string; ifMatch?: string; timeoutMs?: number; maxRetries?: number; after?: number };
  /** Stops iteration after as many rows or events. */
  take?: number;
  verify?: { body: unknown; headers: Record<string, string>; secret: unknown; now: number | null };
};

/** What a driver reports. */
export type Outcome = Record<string, unknown>;

export type CaseStep = Step & {
  settings?: Partial<ClientSettings> & { suffix?: string };
  /** Replies of the server, one per request; the last repeats. Defaults to replies of the real API. */
  script?: Reply[];
  /** Name of the outcome in later steps. */
  as?: string;
  /** Part of the outcome. */
  expect?: unknown;
  /** Part of each request. */
  seen?: unknown[];
  /** Shortest times between requests. */
  gapsMs?: number[];
};

export type Case = {
  title: string;
  /** The key that the client has. Defaults to one that only a scripted server accepts. */
  key?: "read" | "write" | "admin" | "platform";
  /** A delivery, whose signature is "$signature". */
  signed?: { secret: string; timestamp: number; body: string };
  steps: CaseStep[];
};

export type Driver = {
  perform(settings: ClientSettings, step: Step): Promise<Outcome>;
  close(): Promise<void>;
};
