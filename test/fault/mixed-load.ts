/**
 * A load of typical calls: memories, batches, runs, keys, changes and reads. Each client waits for each response
 * (calls.ts). Each written text is a unique mark, so that a test can count the effects afterwards.
 */
import { randomUUID } from "node:crypto";
import { testEnds } from "../support/test-ends.ts";
import { eventually } from "../support/worker.ts";
import { type Call, type Made, pause, untilAnswered } from "./calls.ts";

export type Client = { key: string; bot: string; organisation: string };

export type MixedLoad = {
  /** All calls, oldest first. */
  made: Made[];
  /** Waits for `count` more responses. @throws Error when they take longer than `eventually` waits */
  untilMore(count: number): Promise<void>;
  /** Resolves when each client has its last response. Without a call of `stop` the load ends with its test. */
  stop(): Promise<void>;
};

/** About subjects of their own, so that no memory contradicts another. */
const memory = (mark: string) => ({ scope: "organisation", kind: "fact", subject: `Harbour ${mark}`, value: mark });

/** Calls with an effect. Each creates its own marks. */
export const writes: ((client: Client) => Call)[] = [
  (client) => post(client, "/memories", memory, "memories"),
  ({ key }) => {
    const marks = [randomUUID(), randomUUID()];
    const operations = marks.map((mark, id) => ({
      id: `memory-${id}`,
      method: "POST",
      path: "/memories",
      body: memory(mark),
    }));
    const effects = marks.map((mark) => ({ table: "memories" as const, mark }));
    return { ...base(key), path: "/batch", body: { atomic: true, operations }, effects };
  },
  (client) => post(client, "/runs", (mark) => ({ botId: client.bot, message: mark }), "messages"),
  // The response contains a secret, which the replay must return too.
  (client) => post(client, "/keys", (mark) => ({ name: mark }), "api_keys"),
];

const base = (key: string) => ({ method: "POST" as const, key, idempotencyKey: randomUUID() });

function post(
  { key }: Client,
  path: string,
  bodyOf: (mark: string) => object,
  table: Call["effects"][number]["table"],
): Call {
  const mark = randomUUID();
  return { ...base(key), path, body: bodyOf(mark), effects: [{ table, mark }] };
}

/**
 * @param url base URL of the API, without /api/v1
 * @param pauseMs minimum pause of a client between two calls or tries; without it a key reaches its rate limit within
 *   seconds
 */
export function startMixedLoad(url: string, clients: Client[], pauseMs?: number): MixedLoad {
  const made: Made[] = [];
  const signal = testEnds();
  let stopped = false;
  let answered = 0;

  async function work(client: Client): Promise<void> {
    const ask = async (call: Call) => {
      const found = await untilAnswered(url, call, made, signal, pauseMs);
      signal.throwIfAborted();
      answered += 1;
      if (pauseMs) await pause(pauseMs); // between two calls of a client
      return found;
    };
    const own = idIn((await ask(post(client, "/memories", memory, "memories"))).answer?.text);
    while (!stopped) {
      for (const write of writes) {
        if (stopped) return;
        const { path, answer } = await ask(write(client));
        const place = path === "/memories" || path === "/runs" ? `${path}/${idIn(answer?.text)}` : "/me";
        await ask({ method: "GET", path: place, key: client.key, effects: [] });
      }
      const mark = randomUUID();
      const effects = [{ table: "memories" as const, mark }];
      await ask({ method: "PATCH", path: `/memories/${own}`, key: client.key, body: { value: mark }, effects });
    }
  }

  const working = Promise.all(clients.map(work));
  working.catch(() => {}); // stop() reports it
  return {
    made,
    async untilMore(count) {
      const wanted = answered + count;
      await Promise.race([eventually(async () => answered >= wanted), working]);
    },
    async stop() {
      stopped = true;
      await working;
    },
  };
}

const idIn = (text = "{}"): string => (JSON.parse(text) as { id: string }).id;
