/** Request mix of a soak, with the share of each request, and the responses recorded for the oracle. */
import { randomUUID } from "node:crypto";
import type { Dispatcher } from "undici";
import type { Json } from "../../support/api.ts";
import type { SoakCaller } from "./callers.ts";

export type Book = {
  /** Last acknowledged value of each memory, by id. */
  memories: Map<string, string>;
  /** Time from the due time of each request to its response, in ms. */
  tookMs: number[];
  /** Unexpected responses, one sentence each. */
  refused: string[];
  answered: number;
  acknowledged: number;
};

export const emptyBook = (): Book => ({ memories: new Map(), tookMs: [], refused: [], answered: 0, acknowledged: 0 });

export type Ask = (caller: SoakCaller) => Promise<void>;

export function mixOf(origin: string, agent: Dispatcher, book: Book): { next(): Ask } {
  async function send(caller: SoakCaller, method: Dispatcher.HttpMethod, path: string, sent?: Json): Promise<Json> {
    const headers: Record<string, string> = { authorization: `Bearer ${caller.key}` };
    if (sent) headers["content-type"] = "application/json";
    if (method === "POST") headers["idempotency-key"] = randomUUID();
    const body = sent ? JSON.stringify(sent) : null;
    const answer = await agent.request({ origin, path: `/api/v1${path}`, method, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    if (method !== "GET") book.acknowledged += 1;
    return answer.headers["content-type"] === "application/json" ? JSON.parse(text) : text;
  }

  /** Part of each memory. Few memories share one, so searches and runs cost as much at the end as at the start. */
  const place = () => `place${Math.floor(Math.random() * 20_000)}`;
  const placeOf = ({ memories }: SoakCaller) => /place\d+/.exec(book.memories.get(memories.at(-1) ?? "") ?? "")?.[0];
  const memory = () => ({
    scope: "organisation",
    kind: "note",
    subject: randomUUID(),
    value: `At ${place()} is ${randomUUID()}`,
  });
  const write = async (caller: SoakCaller) => {
    const { id, value } = await send(caller, "POST", "/memories", memory());
    book.memories.set(id, value);
    caller.memories.push(id);
  };
  const start = async (caller: SoakCaller) => {
    const { tenant } = caller;
    const sent = { botId: tenant.bot, message: `What is at ${placeOf(caller)}?` };
    const { id } = await send(caller, "POST", "/runs", sent);
    tenant.runs.push(id);
  };

  /** Shares in percent. */
  const shares: [share: number, ask: Ask][] = [
    [30, async (caller) => void (await send(caller, "GET", `/bots/${caller.tenant.bot}`))],
    [20, async (caller) => void (await send(caller, "GET", "/memories?limit=20"))],
    [
      8,
      async (caller) => {
        const q = placeOf(caller);
        if (!q) return write(caller);
        const { data } = await send(caller, "GET", `/memories?limit=10&q=${q}`);
        if (data.length === 0) throw new Error(`nothing was found of ${q}`);
      },
    ],
    [14, write],
    [
      16,
      async (caller) => {
        const id = caller.memories.shift(); // shifted out, so that no other request changes it at the same time
        if (!id) return write(caller);
        const { value } = await send(caller, "PATCH", `/memories/${id}`, {
          value: `${place()} is ${randomUUID()} deep.`,
        });
        book.memories.set(id, value);
        caller.memories.push(id);
      },
    ],
    [
      5,
      async (caller) => {
        const operations = [memory(), memory()].map((body) => ({ method: "POST", path: "/memories", body }));
        const { results } = await send(caller, "POST", "/batch", { operations, atomic: true });
        for (const { status, body } of results) {
          if (status !== 201) throw new Error(`in a batch: ${status}`);
          book.memories.set(body.id, body.value);
        }
      },
    ],
    [4, start],
    [
      3,
      async (caller) => {
        const run = caller.tenant.runs.at(-1);
        if (run) await watch(caller, run);
      },
    ],
  ];

  /** Opens a stream, reads the available events, and closes it unless the server ends it first. */
  async function watch({ key }: SoakCaller, run: string): Promise<void> {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${key}` };
    const path = `/api/v1/runs/${run}/events`;
    const stream = await agent.request({ origin, path, method: "GET", headers, signal: leaving.signal });
    if (stream.statusCode !== 200) throw new Error(`a stream: ${stream.statusCode}`);
    for await (const part of stream.body) {
      if (!String(part).includes("event: state")) continue;
      leaving.abort();
      return;
    }
  }

  const all = shares.flatMap(([share, ask]) => Array<Ask>(share).fill(ask));
  let at = 0;
  return {
    next() {
      at = (at + 37) % all.length; // every hundred calls, each position once
      return all[at] ?? write;
    },
  };
}
