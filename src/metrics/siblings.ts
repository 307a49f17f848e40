/**
 * Combines the metrics of several processes: `start` and its children exchange theirs over the IPC channel, so that a scrape
 * of any of them returns all. A single process returns its own.
 */
import type { ChildProcess } from "node:child_process";
import { AggregatorRegistry } from "prom-client";
import { type Measured, makeRegistry, type Registry, watch } from "./registry.ts";

/** A request for metrics, of the receiver or of all processes, and its response. */
type Message =
  | { metrics: "request"; of: Scope; number: number }
  | { metrics: "response"; number: number; measured: Measured[] };
type Scope = "own" | "all";

type Channel = {
  on(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
  send?(message: Message, callback: (error: Error | null) => void): unknown;
};

/** A request for all is answered after requests to the children, which may time out. */
const responseTimeoutMs = { own: 1_000, all: 3_000 };
let lastNumber = 0;

/** Returns all available metrics in Prometheus' text format. */
export type Exposition = () => Promise<string>;

const isMessage = (message: unknown): message is Message =>
  typeof message === "object" && message !== null && "metrics" in message;

/** Returns undefined if there is no response in time. */
function request(channel: Channel, of: Scope): Promise<Measured[] | undefined> {
  const number = ++lastNumber;
  return new Promise((resolve) => {
    const done = (measured?: Measured[]) => {
      clearTimeout(timer);
      channel.off("message", listen);
      resolve(measured);
    };
    const listen = (message: unknown) => {
      if (isMessage(message) && message.metrics === "response" && message.number === number) done(message.measured);
    };
    const timer = setTimeout(done, responseTimeoutMs[of]);
    channel.on("message", listen);
    channel.send?.({ metrics: "request", of, number }, (error) => error && done());
  });
}

/** Answers requests that come over this channel. */
function respond(channel: Channel, read: Record<Scope, () => Promise<Measured[]>>): void {
  channel.on("message", (message) => {
    if (!isMessage(message) || message.metrics !== "request") return;
    const { number, of } = message;
    read[of]()
      .then((measured) => channel.send?.({ metrics: "response", number, measured }, () => {}))
      .catch(() => {}); // the requester times out
  });
}

const text = (measured: Measured[]): Promise<string> => AggregatorRegistry.aggregate(measured as object[]).metrics();

export type Family = {
  exposition: Exposition;
  /** Adds a child process, or replaces the earlier one of this part. */
  adopt(part: string, child: ChildProcess): void;
};

/** For the process that starts the others. */
export function gatherFamily(own: Registry): Family {
  const children = new Map<string, ChildProcess>();
  const answering = new Map<string, number>();
  const parts = makeRegistry("start");
  watch(parts, "botstead_part_up", "1 if a process that `start` started answers.", ["part"], function* () {
    for (const [part, up] of answering) yield [{ part }, up];
  });

  async function all(): Promise<Measured[]> {
    const [mine, ...theirs] = await Promise.all([
      own.getMetricsAsJSON(),
      ...[...children].map(async ([part, child]) => {
        const measured = child.connected ? await request(child as Channel, "own") : undefined;
        answering.set(part, measured ? 1 : 0);
        return measured ?? [];
      }),
    ]);
    return [mine as Measured, await parts.getMetricsAsJSON(), ...theirs.flat()];
  }

  return {
    exposition: async () => text(await all()),
    adopt(part, child) {
      children.set(part, child);
      respond(child as Channel, { all, own: async () => [await own.getMetricsAsJSON()] });
    },
  };
}

/** For all other processes: a child answers its parent, and requests all metrics from it. */
export function joinFamily(own: Registry): Exposition {
  const mine = async () => [await own.getMetricsAsJSON()];
  const channel = process as unknown as Channel;
  if (process.connected) {
    respond(channel, { own: mine, all: mine });
    process.channel?.unref(); // a listener alone must not keep the process alive
  }
  return async () => text((process.connected && (await request(channel, "all"))) || (await mine()));
}
