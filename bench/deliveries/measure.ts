/** Deliveries: how many a second beside a bare loop, how soon after the commit, and how soon beside a neighbour that hangs. */
import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Contestant, startContestant } from "../contest.ts";
import { postgresCpuMs } from "../cpu.ts";
import type { Data } from "../data.ts";
import type { Measured } from "../load.ts";
import { type Announcer, openAnnouncer } from "./endpoints.ts";
import type { Posts } from "./posts.ts";
import type { Arrivals, Receivers } from "./receiver.ts";

/** Posted by the bare loop; pending at once and drained by the worker. */
export const pendingAtOnce = 10_000;
/** Under way at once: the slots of the service, as they are set by default. */
const atOnce = 100;
/** Transactions that announce something, a second, where it is told how soon it arrives. */
const announcedPerSecond = 50;

export type Delivery = "posts" | "drain" | "arrival" | "beside silent";
export type Spent = Measured & { nodeUs?: number | undefined; postgresUs?: number | undefined };

export type PostOffice = {
  measure(what: Delivery, seconds: number): Promise<Spent>;
  close(): Promise<void>;
};

export async function openPostOffice(data: Data, folder: string, profile?: string): Promise<PostOffice> {
  const receiver = fork(fileURLToPath(new URL("./receiver.ts", import.meta.url)));
  const receivers = await ask<Receivers>(receiver, "where");
  const announcer = await openAnnouncer(data, receivers.urls);
  const worker = await startContestant("worker", data, { profile, receivers: { folder, ca: receivers.ca } });

  return {
    async measure(what, seconds) {
      if (what === "posts") return posts({ ...receivers, count: pendingAtOnce, atOnce });
      await ask<Arrivals>(receiver, "arrivals"); // those of an earlier figure are forgotten
      if (what === "drain") return drain(announcer, receiver, worker, folder);
      if (what === "arrival") return arrival(announcer, receiver, seconds);
      await announcer.fillSilent(pendingAtOnce);
      try {
        return await arrival(announcer, receiver, seconds);
      } finally {
        await announcer.deleteSilent();
      }
    },
    async close() {
      await worker.stop();
      await announcer.close();
      receiver.disconnect();
    },
  };
}

async function drain(announcer: Announcer, receiver: ChildProcess, worker: Contestant, folder: string): Promise<Spent> {
  const before = { node: (await worker.spent()).cpuMs, postgres: 0 };
  await announcer.announceMany(pendingAtOnce);
  before.postgres = postgresCpuMs(folder) ?? 0;
  const began = performance.now();
  while ((await ask<number>(receiver, "count")) < pendingAtOnce) await sleep(20);
  while ((await announcer.pending()) > 0) await sleep(20);
  const perSecond = pendingAtOnce / ((performance.now() - began) / 1000);
  const each = (ms: number) => (ms * 1000) / pendingAtOnce;
  return {
    perSecond,
    served: pendingAtOnce,
    nodeUs: each((await worker.spent()).cpuMs - before.node),
    postgresUs: each((postgresCpuMs(folder) ?? 0) - before.postgres),
  };
}

async function arrival(announcer: Announcer, receiver: ChildProcess, seconds: number): Promise<Measured> {
  const committed = new Map<string, number>();
  const began = performance.now();
  for (let turn = 0; performance.now() - began < seconds * 1000; turn += 1) {
    const { committedMs, ids } = await announcer.announce(turn);
    for (const id of ids) committed.set(id, committedMs);
    await sleep(Math.max(0, began + ((turn + 1) * 1000) / announcedPerSecond - performance.now()));
  }
  const perSecond = committed.size / ((performance.now() - began) / 1000);
  for (
    const until = performance.now() + 30_000;
    (await ask<number>(receiver, "count")) < committed.size;
    await sleep(20)
  ) {
    if (performance.now() > until) throw new Error("Deliveries did not arrive within 30 seconds.");
  }
  const arrivals = new Map(await ask<Arrivals>(receiver, "arrivals"));
  const took = [...committed].map(([id, at]) => (arrivals.get(id) ?? Number.NaN) - at).sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
  return { perSecond, served: took.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function posts(asked: Posts): Promise<Spent> {
  const child = fork(fileURLToPath(new URL("./posts.ts", import.meta.url)));
  return ask<Spent>(child, asked);
}

function ask<Answer>(child: ChildProcess, question: string | Posts): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error("A process of the benchmark ended by itself."));
    child.once("exit", ended);
    child.once("message", (answer) => {
      child.off("exit", ended);
      resolve(answer as Answer);
    });
    child.send(question);
  });
}
