/**
 * A session that stays open and reconnects after a loss, for session state such as LISTEN or the liveness of a worker pool. It is
 * idle for hours, so a periodic query detects a connection that the network dropped silently.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, ClientConfig } from "pg";
import { AbortableClient } from "./client.ts";
import { timeouts } from "./timeouts.ts";

export type ListeningConnection = {
  /** Whether it is connected and `begin` has run. */
  isOpen(): boolean;
  close(): Promise<void>;
};

const pauseMs = 250;

/**
 * @param begin runs on each new connection
 * @param check runs every 10 seconds; if it fails, the connection is replaced
 * @param after it connects once this has settled
 */
export function openListeningConnection(
  config: ClientConfig,
  begin: (client: Client) => Promise<void>,
  check: (client: Client) => Promise<unknown> = (client) => client.query("select 1"),
  after?: Promise<void>,
): ListeningConnection {
  let closed = false;
  /** Set once connected: a client that still connects is ended by its own time-out. */
  let current: Client | undefined;
  let begun = false;

  async function connect(): Promise<void> {
    const client = new AbortableClient({
      connectionTimeoutMillis: timeouts.listening.connect,
      query_timeout: timeouts.listening.statement,
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
      checking = setInterval(() => check(client).catch(() => end()), timeouts.listening.checkInterval);
      if (!closed) await ended;
    } finally {
      clearInterval(checking);
      begun = false;
      current = undefined;
      await client.end();
    }
  }

  const running = (async () => {
    await after;
    while (!closed) {
      await connect().catch(() => {}); // database unreachable, the loop retries
      if (!closed) await sleep(pauseMs);
    }
  })();

  return {
    isOpen: () => begun,
    async close() {
      closed = true;
      if (current) await current.end();
      await running;
    },
  };
}
