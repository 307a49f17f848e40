/**
 * Word that something happened to a run. One connection of the process listens for all who watch, whoever they are: it
 * tells that there is something to read and never what, so that everybody reads it under their own key.
 */
import { type HeldConnection, holdConnection } from "../../database/held-connection.ts";

export type News = {
  /** Calls `wake` whenever there may be something new of the run. Answers how to stop. */
  hear(runId: string, wake: () => void): () => void;
  /** Whether word would come; undefined until somebody wants it. */
  listening(): boolean | undefined;
  close(): Promise<void>;
};

export function listenForNews(connectionString: string): News {
  const hearers = new Map<string, Set<() => void>>();
  let connection: HeldConnection | undefined; // from the first who watches on

  const listen = () =>
    holdConnection({ connectionString, application_name: "botstead api, listening" }, async (client) => {
      client.on("notification", ({ payload = "" }) => {
        for (const wake of hearers.get(payload) ?? []) wake();
      });
      await client.query("listen botstead_run_events");
      // Word may have gone out while nobody listened.
      for (const wakes of hearers.values()) for (const wake of wakes) wake();
    });

  return {
    hear(runId, wake) {
      connection ??= listen();
      const run = runId.toLowerCase();
      const wakes = hearers.get(run) ?? new Set();
      hearers.set(run, wakes.add(wake));
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0) hearers.delete(run);
      };
    },
    listening: () => connection?.isHeld(),
    close: async () => connection?.release(),
  };
}
