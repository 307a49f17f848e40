/**
 * A session that stays open and reconnects after a loss, for session state such as LISTEN or an advisory lock. It is
 * idle for hours, so a periodic query detects a connection that the network dropped silently.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, ClientConfig } from "pg";
import { AbortableClient } from "./abortable-client.ts";
import { endWithin } from "./ending.ts";

export type ListeningConnection = {
  /** Whether it is connected and `begin` has run. */
  isOpen(): boolean;
  close(): Promise<void>;
};

const pauseMs = 250;
/** The interval and the time-out add up to the time within which a dead connection is detected. */
const checkIntervalMs = 10_000;
const checkTimeoutMs = 10_000;

/** @param begin runs on each new connection */
export function openListeningConnection(
  config: ClientConfig,
  begin: (client: Client) => Promise<void>,
): ListeningConnection {
  let closed = false;
  /** Set once connected: pg never resolves `end` of a client that still connects. */
  let current: Client | undefined;
  let begun = false;

  async function connect(): Promise<void> {
    const client = new AbortableClient({
      connectionTimeoutMillis: 5_000,
      query_timeout: checkTimeoutMs,
      ...config,
    });
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    client.on("error", () => end());
    client.once("end", () => end());
    let checking: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      current = client;
      if (closed) return;
      await begin(client);
      begun = true;
      checking = setInterval(() => client.query("select 1").catch(() => end()), checkIntervalMs);
      if (!closed) await ended;
    } finally {
      clearInterval(checking);
      begun = false;
      current = undefined;
      await endWithin(client);
    }
  }

  const running = (async () => {
    while (!closed) {
      await connect().catch(() => {}); // database unreachable, the loop retries
      if (!closed) await sleep(pauseMs);
    }
  })();

  return {
    isOpen: () => begun,
    async close() {
      closed = true;
      if (current) await endWithin(current);
      await running;
    },
  };
}
