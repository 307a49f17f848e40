/**
 * Notifications of runs that changed, of organisations that have an event, and of organisations whose credentials changed. One connection of the process listens for
 * all callers. A notification carries an id and no data, so each caller reads under their own key. Only deltas carry data, after the
 * first line (deltas.ts).
 */
import type { Client } from "pg";
import { type ListeningConnection, openListeningConnection } from "../../database/connections/listening.ts";

/** @param data of a delta; undefined if the connection is new, and notifications may have been lost */
export type Wake = (data?: string) => void;

/** The id to subscribe to for changes of the credentials of an organisation. (sql/triggers/access.sql) */
export const accessTo = (organisationId: string): string => `access ${organisationId}`;

export type Notifications = {
  /** Calls `wake` whenever the run, the organisation or the access to it may have changed. Returns a function that unsubscribes. */
  subscribe(id: string, wake: Wake): () => void;
  /** Whether the connection is listening; undefined before the first subscription. */
  listening(): boolean | undefined;
  /** Closes the connection if there is no subscription. The next subscription opens it again. */
  closeUnused(): void;
  close(): Promise<void>;
};

export function openNotifications(connectionString: string): Notifications {
  const subscribers = new Map<string, Set<Wake>>();
  let connection: ListeningConnection | undefined; // opened by the first subscription
  let closing: Promise<void> | undefined;

  const begin = async (client: Client) => {
    client.on("notification", ({ payload = "" }) => {
      const end = payload.indexOf("\n");
      const [id, data] = end < 0 ? [payload] : [payload.slice(0, end), payload.slice(end + 1)];
      for (const wake of subscribers.get(id ?? "") ?? []) wake(data);
    });
    // The channel's name is a secret, so that no other login can listen or notify. (sql/service/channel.sql)
    const { rows } = await client.query<{ channel: string }>("select api.run_events_channel() as channel");
    await client.query(`listen ${client.escapeIdentifier(rows[0]?.channel ?? "")}`);
    // Notifications may have been lost before this connection listened.
    for (const wakes of subscribers.values()) for (const wake of wakes) wake();
  };
  const config = { connectionString, application_name: "botstead api, listening" };
  const listen = () => openListeningConnection(config, begin, undefined, closing);

  return {
    subscribe(id, wake) {
      connection ??= listen();
      const key = id.toLowerCase();
      const wakes = subscribers.get(key) ?? new Set();
      subscribers.set(key, wakes.add(wake));
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0) subscribers.delete(key);
      };
    },
    listening: () => connection?.isOpen(),
    closeUnused() {
      if (subscribers.size > 0 || !connection) return;
      const unused = connection;
      connection = undefined;
      closing = unused.close();
    },
    close: async () => {
      await closing;
      await connection?.close();
    },
  };
}
