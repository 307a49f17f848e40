/** Deliveries: throughput beside a bare loop, and time from commit to arrival, also with a hanging endpoint. */
import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { postgresCpuMs } from "../cpu.ts";
import type { Data } from "../data.ts";
import type { Measured } from "../load.ts";
import { startSystem } from "../systems.ts";
import { type EventWriter, openEventWriter } from "./endpoints.ts";
import type { Posts } from "./posts.ts";
import type { Arrivals, Receivers } from "./receiver.ts";

/** Requests of the bare loop; pending deliveries that the worker drains. */
const pendingAtOnce = 10_000;
/** Warm-up of both: opens connections and plans statements, which the figures exclude. */
const warmUp = pendingAtOnce / 10;
/** Concurrent requests: the default number of delivery slots. */
const atOnce = 200;
/** Transactions per second while the time to arrival is measured. */
const eventsPerSecond = 50;
/** Minimum duration. With fewer deliveries the p95 would depend on the first ones, while the worker loads 10,000 others. */
const minimumSeconds = 5;

export type Delivery = "posts" | "drain" | "arrival" | "with hanging";
export type MeasuredCpu = Measured & { nodeUs?: number | undefined; postgresUs?: number | undefined };

export type DeliveryBench = {
  measure(delivery: Delivery, seconds: number): Promise<MeasuredCpu>;
  close(): Promise<void>;
};

export async function openDeliveryBench(data: Data, folder: string, profile?: string): Promise<DeliveryBench> {
  const receiver = fork(fileURLToPath(new URL("./receiver.ts", import.meta.url)));
  const receivers = await send<Receivers>(receiver, "urls");
  const eventWriter = await openEventWriter(data, receivers.urls);
  const worker = await startSystem("worker", data, { profile, receivers: { folder, ca: receivers.ca } });
  const usage: UsageOf = async () => ({
    node: (await worker.usage()).cpuMs,
    postgres: postgresCpuMs(folder) ?? 0,
  });

  return {
    async measure(delivery, seconds) {
      if (delivery === "posts") return posts({ ...receivers, count: pendingAtOnce, warmUp, atOnce });
      await send<Arrivals>(receiver, "arrivals"); // clears the arrivals of an earlier figure
      if (delivery === "drain") return drain(eventWriter, receiver, usage);
      if (delivery === "arrival") return arrival(eventWriter, receiver, usage, seconds);
      await eventWriter.fillHanging(pendingAtOnce);
      try {
        return await arrival(eventWriter, receiver, usage, seconds);
      } finally {
        await eventWriter.deleteHanging();
      }
    },
    async close() {
      await worker.stop();
      await eventWriter.close();
      receiver.disconnect();
    },
  };
}

/** Processor time of the worker and of PostgreSQL until now, in ms. */
type UsageOf = () => Promise<{ node: number; postgres: number }>;

async function usageEach(usage: UsageOf, before: Awaited<ReturnType<UsageOf>>, served: number) {
  const after = await usage();
  const each = (ms: number) => (ms * 1000) / served;
  return { nodeUs: each(after.node - before.node), postgresUs: each(after.postgres - before.postgres) };
}

async function drain(eventWriter: EventWriter, receiver: ChildProcess, usage: UsageOf): Promise<MeasuredCpu> {
  const arrived = () => send<number>(receiver, "count");
  await eventWriter.insertDeliveries(warmUp + pendingAtOnce);
  while ((await arrived()) < warmUp) await sleep(5);
  const before = await usage();
  const served = warmUp + pendingAtOnce - (await arrived());
  const began = performance.now();
  while ((await arrived()) < warmUp + pendingAtOnce) await sleep(20);
  while ((await eventWriter.pending()) > 0) await sleep(20);
  const perSecond = served / ((performance.now() - began) / 1000);
  return { perSecond, served, ...(await usageEach(usage, before, served)) };
}

/** The processor time includes the transactions that insert the events. */
async function arrival(
  eventWriter: EventWriter,
  receiver: ChildProcess,
  usage: UsageOf,
  seconds: number,
): Promise<MeasuredCpu> {
  const committed = new Map<string, number>();
  const forMs = Math.max(seconds, minimumSeconds) * 1000;
  const before = await usage();
  const began = performance.now();
  for (let turn = 0; performance.now() - began < forMs; turn += 1) {
    const { committedMs, ids } = await eventWriter.insertEvent(turn);
    for (const id of ids) committed.set(id, committedMs);
    await sleep(Math.max(0, began + ((turn + 1) * 1000) / eventsPerSecond - performance.now()));
  }
  const perSecond = committed.size / ((performance.now() - began) / 1000);
  for (
    const until = performance.now() + 30_000;
    (await send<number>(receiver, "count")) < committed.size;
    await sleep(20)
  ) {
    if (performance.now() > until) throw new Error("Deliveries did not arrive within 30 seconds.");
  }
  const cpu = await usageEach(usage, before, committed.size);
  const arrivals = new Map(await send<Arrivals>(receiver, "arrivals"));
  const times = [...committed].map(([id, at]) => (arrivals.get(id) ?? Number.NaN) - at).sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond, served: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), ...cpu };
}

function posts(settings: Posts): Promise<MeasuredCpu> {
  const child = fork(fileURLToPath(new URL("./posts.ts", import.meta.url)));
  return send<MeasuredCpu>(child, settings);
}

function send<Answer>(child: ChildProcess, message: string | Posts): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error("A process of the benchmark exited early: see its output above."));
    child.once("exit", ended);
    child.once("message", (answer) => {
      child.off("exit", ended);
      resolve(answer as Answer);
    });
    child.send(message);
  });
}
