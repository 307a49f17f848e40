/** Processes of the API that read from a replica, and what is written through one and read through the other. */
import { readConfig } from "../../src/config.ts";
import { makeBuckets, specified } from "../../src/http/buckets.ts";
import { startApi } from "../../src/http/server.ts";
import { makeRegistry } from "../../src/metrics/registry.ts";
import { callerOf, type TestApi } from "../support/api.ts";
import type { TestDatabase } from "../support/database.ts";
import { log } from "../support/logged.ts";

/** A server of the test's process, which shares nothing with another; with room for as many calls as a test likes. */
export type Process = TestApi & {
  /** Who answered reads, by outcome. */
  reads(): Promise<Record<string, number>>;
};

export async function startProcess(db: TestDatabase, readUrl: string): Promise<Process> {
  const registry = makeRegistry("api");
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: db.adminUrl,
    DATABASE_READ_URL: readUrl,
    MASTER_KEY: db.masterKey,
  });
  const roomy = makeBuckets(Date.now, { ...specified, key: 1_000_000, organisation: 1_000_000 });
  const { url, stop } = await startApi(config, db.adminUrl, db.key, log, roomy, undefined, registry);
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

/** How a row comes, and how it goes; a run stays, and says that it was cancelled. */
export type Kind = { path: string; body(botId: string): object; stays?: boolean };

export const kinds = {
  bot: { path: "/bots", body: () => ({ name: "Ada" }) },
  claim: {
    path: "/memories",
    body: () => ({ scope: "organisation", kind: "note", subject: "Harbour", value: "Deep." }),
  },
  endpoint: { path: "/webhooks", body: () => ({ url: "https://receiver.example/hook", events: ["run.finished"] }) },
  run: { path: "/runs", body: (botId) => ({ botId, message: "How deep is it?" }), stays: true },
} satisfies Record<string, Kind>;

export type Rows = {
  /** @returns its id */
  make(through: Process, kind: Kind): Promise<string>;
  /** How often it is found by its id, and how often in the list. */
  find(through: Process, kind: Kind, id: string): Promise<[byId: number, listed: number]>;
  /** Through one process. @returns whether the other then shows it as it was */
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
