/** What another organisation sees of the API while a captured executor makes its calls. */
import { openApiDocument } from "../../../src/api/openapi/document.ts";
import { readDocument } from "../../contract/document.ts";
import { testApi, unlimitedBuckets } from "../../support/api.ts";
import { openFeed } from "../../support/live-feed.ts";
import { type Pair, seenOf } from "./commands.ts";
import type { Twins } from "./twins.ts";

export type Neighbour = {
  pair: Pair;
  /** Of every operation that reads, by path, without the id of the request. */
  answers(): Promise<Record<string, string>>;
  /** Events of its open feed. */
  streamed(): unknown[];
  close(): Promise<void>;
};

export async function openNeighbour(twins: Twins): Promise<Neighbour> {
  const { a, b } = await twins.open();
  const api = await testApi({ ...twins.db, adminUrl: a.url }, {}, unlimitedBuckets());
  const { key, rows } = twins.facts.other;
  const paths = readDocument(openApiDocument(api.url))
    .operations.filter(({ method, platform }) => method.toLowerCase() === "get" && !platform)
    .filter(({ path }) => path !== "/models") // every organisation sees the names of the models that executors announce
    .map(({ path }) => path.replace(/\{\w+\}/, rows[path.split("/")[1] ?? ""] ?? "none"));
  const answers = async () => {
    const all: Record<string, string> = {};
    for (const path of paths) {
      const { status, text } = await api.call("GET", path, { key });
      // The delay of a stream is random, and a use is noted once a minute.
      all[path] = `${status} ${text.replaceAll(/"requestId":"[^"]*"|^retry: \d+|"lastUsedAt":"[^"]*"/g, "")}`;
    }
    return all;
  };
  await answers(); // notes the use of the key
  const feed = await openFeed(api, { key: { text: key } });
  return {
    pair: { known: twins.known, a: seenOf(a), b: seenOf(b), isQuiet: true, calls: { made: 0, answered: 0 } },
    answers,
    streamed: () => feed.entries,
    async close() {
      feed.leave();
      await api.stop();
      await Promise.all([a.close(), b.close()]);
    },
  };
}
