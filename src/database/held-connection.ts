/**
 * A connection that is held for as long as the process works, and taken up again whenever it is lost: for what belongs
 * to a session, as an advisory lock or LISTEN.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import { endWithin } from "./ending.ts";

export type HeldConnection = {
  /** Whether it is there now, and has begun. */
  isHeld(): boolean;
  release(): Promise<void>;
};

const pauseMs = 250;

/** @param begin is called with each new connection */
export function holdConnection(config: ClientConfig, begin: (client: Client) => Promise<void>): HeldConnection {
  let released = false;
  /** Only once it is connected: pg never answers who ends a client that still connects. */
  let current: Client | undefined;
  let begun = false;

  async function hold(): Promise<void> {
    const client = new Client({ keepAlive: true, connectionTimeoutMillis: 5_000, ...config });
    const ended = new Promise<void>((resolve) => {
      client.on("error", () => resolve());
      client.once("end", () => resolve());
    });
    try {
      await client.connect();
      current = client;
      if (released) return;
      await begin(client);
      begun = true;
      if (!released) await ended;
    } finally {
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
