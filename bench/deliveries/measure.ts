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
/** Beforehand, of both: until then connections are made and plans, which is not what is compared. */
export const warmUp = pendingAtOnce / 10;
/** Under way at once: the slots of the service, as they are set by default. */
const atOnce = 200;
/** Transactions that announce something, a second, where it is told how soon it arrives. */
const announcedPerSecond = 50;
/** At least so long: of fewer deliveries a p95 would be told by what the first of them met, while 10,000 are new to the worker. */
const announcedForSeconds = 5;

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
      if (what === "posts") return posts({ ...receivers, count: pendingAtOnce, warmUp, atOnce });
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
  const arrived = () => ask<number>(receiver, "count");
  const spent = async () => ({ node: (await worker.spent()).cpuMs, postgres: postgresCpuMs(folder) ?? 0 });
  await announcer.announceMany(warmUp + pendingAtOnce);
  while ((await arrived()) < warmUp) await sleep(5);
  const before = await spent();
  const served = warmUp + pendingAtOnce - (await arrived());
  const began = performance.now();
  while ((await arrived()) < warmUp + pendingAtOnce) await sleep(20);
  while ((await announcer.pending()) > 0) await sleep(20);
  const perSecond = served / ((performance.now() - began) / 1000);
  const after = await spent();
  const each = (ms: number) => (ms * 1000) / served;
  return {
    perSecond,
    served,
    nodeUs: each(after.node - before.node),
    postgresUs: each(after.postgres - before.postgres),
  };
}

async function arrival(announcer: Announcer, receiver: ChildProcess, seconds: number): Promise<Measured> {
  const committed = new Map<string, number>();
  const forMs = Math.max(seconds, announcedForSeconds) * 1000;
  const began = performance.now();
  for (let turn = 0; performance.now() - began < forMs; turn += 1) {
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
