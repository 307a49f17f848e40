/**
 * A load of all that scripts do: claims, batches, runs, keys, changes and reads, by clients that wait for each answer
 * (calls.ts). Each text that is written is a mark, so that what was done can be counted afterwards.
 */
import { randomUUID } from "node:crypto";
import { testEnds } from "../support/test-ends.ts";
import { eventually } from "../support/worker.ts";
import { type Call, type Made, pause, untilAnswered } from "./calls.ts";

export type Client = { key: string; bot: string; organisation: string };

export type MixedLoad = {
  /** Every call that was begun, oldest first. */
  made: Made[];
  /** Waits until so many more were answered than when it is called. @throws Error when they are not within 60 s */
  untilMore(count: number): Promise<void>;
  /** Ends when each client has the answer that it waits for. One that is never stopped ends with its test. */
  stop(): Promise<void>;
};

const claim = (mark: string) => ({ scope: "organisation", kind: "fact", subject: "Harbour", value: mark });

/** The calls that have an effect, each told how to make one with marks of its own. */
export const writes: ((client: Client) => Call)[] = [
  (client) => post(client, "/memories", claim, "memories"),
  ({ key }) => {
    const marks = [randomUUID(), randomUUID()];
    const operations = marks.map((mark, id) => ({
      id: `claim-${id}`,
      method: "POST",
      path: "/memories",
      body: claim(mark),
    }));
    const effects = marks.map((mark) => ({ table: "memories" as const, mark }));
    return { ...base(key), path: "/batch", body: { atomic: true, operations }, effects };
  },
  (client) => post(client, "/runs", (mark) => ({ botId: client.bot, message: mark }), "messages"),
  // Its answer holds a secret, which the replay must show as well.
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
 * @param url where the API is found, without /api/v1
 * @param pauseMs of each client, at least, between two calls and two tries; without it a key's allowance lasts for seconds
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
      if (pauseMs) await pause(pauseMs);
      return found;
    };
    const own = idIn((await ask(post(client, "/memories", claim, "memories"))).answer?.text);
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
  working.catch(() => {}); // told by stop
  return {
    made,
    async untilMore(count) {
      const wanted = answered + count;
      await Promise.race([eventually(async () => answered >= wanted, 60_000), working]);
    },
    async stop() {
      stopped = true;
      await working;
    },
  };
}

const idIn = (text = "{}"): string => (JSON.parse(text) as { id: string }).id;
