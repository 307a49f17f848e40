/** fetch for services that operators configure: to any address, through no proxy, and with interim responses (1xx) skipped. */
import { Agent, fetch as fetchByUndici } from "undici";
import { createPool } from "./client.ts";

// The callers have time-outs of their own.
const dispatcher = new Agent({ allowH2: false, headersTimeout: 0, bodyTimeout: 0, factory: createPool });

// Node's own fetch is another version of undici, with other types.
const fetchAsNode = fetchByUndici as unknown as typeof globalThis.fetch;

export const fetch: typeof globalThis.fetch = (input, init) =>
  fetchAsNode(input, { ...init, dispatcher } as unknown as RequestInit);
