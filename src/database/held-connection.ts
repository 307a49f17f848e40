/**
 * A connection that is held for as long as the process works, and taken up again whenever it is lost: for what belongs
 * to a session, as an advisory lock or LISTEN. Such a session says nothing for hours, so it is asked now and then whether it is
 * still there: the network may have lost it without a word.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, ClientConfig } from "pg";
import { endWithin } from "./ending.ts";
import { RetractableClient } from "./retractable-client.ts";

export type HeldConnection = {
  /** Whether it is there now, and has begun. */
  isHeld(): boolean;
  release(): Promise<void>;
};

const pauseMs = 250;
/** A silence is found within the two together. */
const askEveryMs = 10_000;
const answeredWithinMs = 10_000;

/** @param begin is called with each new connection */
export function holdConnection(config: ClientConfig, begin: (client: Client) => Promise<void>): HeldConnection {
  let released = false;
  /** Only once it is connected: pg never answers who ends a client that still connects. */
  let current: Client | undefined;
  let begun = false;

  async function hold(): Promise<void> {
    const client = new RetractableClient({
      connectionTimeoutMillis: 5_000,
      query_timeout: answeredWithinMs,
      ...config,
    });
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    client.on("error", () => end());
    client.once("end", () => end());
    let asking: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      current = client;
      if (released) return;
      await begin(client);
      begun = true;
      asking = setInterval(() => client.query("select 1").catch(() => end()), askEveryMs);
      if (!released) await ended;
    } finally {
      clearInterval(asking);
      begun = false;
      current = undefined;
      await endWithin(client);
    }
  }

  const holding = (async () => {
    while (!released) {
      await hold().catch(() => {}); // the database is away; asked again below
      if (!released) await sleep(pauseMs);
    }
  })();

  return {
    isHeld: () => begun,
    async release() {
      released = true;
      if (current) await endWithin(current);
      await holding;
    },
  };
}
