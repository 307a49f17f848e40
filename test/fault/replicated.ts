/** API processes that read from a replica. Tests write through one and read through the other. */

import { startApi } from "../../src/api/server.ts";
import { readConfig } from "../../src/config.ts";
import { makeRegistry } from "../../src/metrics/registry.ts";
import { callerOf, type TestApi, unlimitedBuckets } from "../support/api.ts";
import type { TestDatabase } from "../support/database.ts";
import { log } from "../support/logged.ts";
import { unhurried } from "../support/program.ts";

/** A server inside the test process that shares no state with other servers and has very high rate limits. */
export type Process = TestApi & {
  /** Counts of reads by outcome: which server answered. */
  reads(): Promise<Record<string, number>>;
};

export async function startProcess(db: TestDatabase, readUrl: string): Promise<Process> {
  const registry = makeRegistry("api");
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: db.adminUrl,
    DATABASE_READ_URL: readUrl,
    MASTER_KEY: db.masterKey,
    ...unhurried,
  });
  const { url, stop } = await startApi(config, db.adminUrl, db.key, log, { rateLimiter: unlimitedBuckets(), registry });
  return {
    url,
    stop,
    call: callerOf(url),
    async reads() {
      const { values } = (await registry.getSingleMetric("botstead_replica_reads_total")?.get()) ?? { values: [] };
      return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
    },
  };
}

/** How to create and delete a row. A run is not deleted: its state becomes cancelled. */
export type Kind = { path: string; body(botId: string): object; stays?: boolean };

export const kinds = {
  bot: { path: "/bots", body: () => ({ name: "Ada" }) },
  memory: {
    path: "/memories",
    body: () => ({ scope: "organisation", kind: "note", subject: "Harbour", value: "Deep." }),
  },
  endpoint: { path: "/webhooks", body: () => ({ url: "https://receiver.example/hook", events: ["run.finished"] }) },
  run: { path: "/runs", body: (botId) => ({ botId, message: "How deep is it?" }), stays: true },
} satisfies Record<string, Kind>;

export type Rows = {
  /** @returns its id */
  make(through: Process, kind: Kind): Promise<string>;
  /** How often a read by id and a list return the row. */
  find(through: Process, kind: Kind, id: string): Promise<[byId: number, listed: number]>;
  /** Deletes the row through one process. @returns whether the other process still shows the old row */
  unmake(through: [by: Process, seenBy: Process], kind: Kind, id: string): Promise<boolean>;
};

export function rowsOf(key: string, botId: string): Rows {
  return {
    async make(through, { path, body }) {
      const made = await through.call("POST", path, { key, body: body(botId) });
      expect([201, 202]).toContain(made.status);
      return made.body.id;
    },
    async find(through, { path }, id) {
      const [byId, page] = await Promise.all([
        through.call("GET", `${path}/${id}`, { key }),
        through.call("GET", `${path}?limit=50`, { key }),
      ]);
      return [Number(byId.status === 200), page.body.data.filter((row: { id: string }) => row.id === id).length];
    },
    async unmake([by, seenBy], { path, stays }, id) {
      const [method, end] = stays ? ["POST", "/cancel"] : ["DELETE", ""];
      expect((await by.call(method, `${path}/${id}${end}`, { key })).status).toBe(200);
      const { status, body } = await seenBy.call("GET", `${path}/${id}`, { key });
      return stays ? body.state !== "cancelled" : status !== 404;
    },
  };
}
