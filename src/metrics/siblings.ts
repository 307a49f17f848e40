/**
 * The metrics of processes that stand beside each other: `start` and its children tell each other theirs over the
 * channel that they have, so that one scrape, of whichever, tells of all. A process by itself tells its own.
 */
import type { ChildProcess } from "node:child_process";
import { AggregatorRegistry } from "prom-client";
import { type Measured, makeRegistry, type Registry, watch } from "./registry.ts";

/** What goes over the channel. `ask` numbers a question, which `told` answers with what was asked for. */
type Message =
  | { metrics: "ask"; of: "you" | "all"; number: number }
  | { metrics: "told"; number: number; measured: Measured[] };

type Channel = {
  on(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
  send?(message: Message, callback: (error: Error | null) => void): unknown;
};

/** How long a process has to answer. One that does not is told to be silent; who asks for all waits for that. */
const patienceMs = { you: 1_000, all: 3_000 };
let asked = 0;

/** All metrics that can be had, as the text that Prometheus reads. */
export type Exposition = () => Promise<string>;

const isMessage = (message: unknown): message is Message =>
  typeof message === "object" && message !== null && "metrics" in message;

/** Undefined when the other does not answer in time. */
function ask(channel: Channel, of: "you" | "all"): Promise<Measured[] | undefined> {
  const number = ++asked;
  return new Promise((resolve) => {
    const done = (measured?: Measured[]) => {
      clearTimeout(timer);
      channel.off("message", listen);
      resolve(measured);
    };
    const listen = (message: unknown) => {
      if (isMessage(message) && message.metrics === "told" && message.number === number) done(message.measured);
    };
    const timer = setTimeout(done, patienceMs[of]);
    channel.on("message", listen);
    channel.send?.({ metrics: "ask", of, number }, (error) => error && done());
  });
}

/** Tells whoever asks over this channel. */
function answer(channel: Channel, tell: Record<"you" | "all", () => Promise<Measured[]>>): void {
  channel.on("message", (message) => {
    if (!isMessage(message) || message.metrics !== "ask") return;
    const { number, of } = message;
    tell[of]()
      .then((measured) => channel.send?.({ metrics: "told", number, measured }, () => {}))
      .catch(() => {}); // who asks waits for a moment and takes it for silence
  });
}

const text = (measured: Measured[]): Promise<string> => AggregatorRegistry.aggregate(measured as object[]).metrics();

export type Family = {
  exposition: Exposition;
  /** Of a child that was started, also in the place of another. */
  adopt(part: string, child: ChildProcess): void;
};

/** In the process that starts the others. */
export function gatherFamily(own: Registry): Family {
  const children = new Map<string, ChildProcess>();
  const answering = new Map<string, number>();
  const parts = makeRegistry("api");
  watch(parts, "botstead_part_up", "Whether a part that was started answers.", ["part"], function* () {
    for (const [part, up] of answering) yield [{ part }, up];
  });

  async function all(): Promise<Measured[]> {
    const [mine, ...theirs] = await Promise.all([
      own.getMetricsAsJSON(),
      ...[...children].map(async ([part, child]) => {
        const told = child.connected ? await ask(child as Channel, "you") : undefined;
        answering.set(part, told ? 1 : 0);
        return told ?? [];
      }),
    ]);
    return [mine as Measured, await parts.getMetricsAsJSON(), ...theirs.flat()];
  }

  return {
    exposition: async () => text(await all()),
    adopt(part, child) {
      children.set(part, child);
      answer(child as Channel, { all, you: async () => [await own.getMetricsAsJSON()] });
    },
  };
}

/** In any other: a child is asked by its parent, and asks it for all. */
export function joinFamily(own: Registry): Exposition {
  const mine = async () => [await own.getMetricsAsJSON()];
  const channel = process as unknown as Channel;
  if (process.connected) {
    answer(channel, { you: mine, all: mine });
    process.channel?.unref(); // whoever only listens here need not be kept
  }
  return async () => text((process.connected && (await ask(channel, "all"))) || (await mine()));
}
