/**
 * Notifications of runs that changed. One connection of the process listens for all callers. A notification carries a
 * run's id and no data, so that each caller reads the run under their own key.
 */
import { type ListeningConnection, openListeningConnection } from "../../database/connections/listening.ts";

export type Notifications = {
  /** Calls `wake` whenever the run may have changed. Returns a function that unsubscribes. */
  subscribe(runId: string, wake: () => void): () => void;
  /** Whether the connection is listening; undefined before the first subscription. */
  listening(): boolean | undefined;
  close(): Promise<void>;
};

export function openNotifications(connectionString: string): Notifications {
  const subscribers = new Map<string, Set<() => void>>();
  let connection: ListeningConnection | undefined; // opened by the first subscription

  const listen = () =>
    openListeningConnection({ connectionString, application_name: "botstead api, listening" }, async (client) => {
      client.on("notification", ({ payload = "" }) => {
        for (const wake of subscribers.get(payload) ?? []) wake();
      });
      // The channel's name is a secret, so that no other login can listen or notify. (sql/service/channel.sql)
      const { rows } = await client.query<{ channel: string }>(
        "select api.handle(null, 'run_events_channel', null, null, null, null, null, null) as channel",
      );
      await client.query(`listen ${client.escapeIdentifier(rows[0]?.channel ?? "")}`);
      // Notifications may have been lost before this connection listened.
      for (const wakes of subscribers.values()) for (const wake of wakes) wake();
    });

  return {
    subscribe(runId, wake) {
      connection ??= listen();
      const run = runId.toLowerCase();
      const wakes = subscribers.get(run) ?? new Set();
      subscribers.set(run, wakes.add(wake));
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0) subscribers.delete(run);
      };
    },
    listening: () => connection?.isOpen(),
    close: async () => connection?.close(),
  };
}
