/** Peers that are slow on purpose, by the hundred: they send a byte now and then, or nothing, or take nothing of what they asked for. */

import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { open } from "./wire.ts";

export type Slow = {
  socket: Socket;
  since: number;
  /** After how many milliseconds the other side had ended it. */
  endedMs: number | undefined;
  /** The first line of what came, "" when nothing has. */
  heard: string;
};

export type Manner = {
  count: number;
  /** Sent at once. */
  first?: (nth: number) => string;
  /** A byte of it a second, over and over. */
  drip?: string;
  /** Whether it takes what comes. */
  reads?: boolean;
  /** How many come a second; what each asks for is work by itself. */
  perSecond?: number;
};

export type Crowd = {
  all: Slow[];
  /** How many of them the other side has ended. */
  ended(): number;
  /** Goes away. */
  leave(): void;
};

/** What comes in a second is spread over it, so that whoever measures beside it does not measure the crowd's own bursts. */
const slices = 50;

export async function gather(
  port: number,
  { count, first, drip, reads = true, perSecond = 1_000 }: Manner,
): Promise<Crowd> {
  const all: Slow[] = [];
  const together = Math.ceil(perSecond / 100);
  while (all.length < count) {
    const some = await Promise.all(Array.from({ length: Math.min(together, count - all.length) }, () => open(port)));
    for (const socket of some) {
      const slow: Slow = { socket, since: performance.now(), endedMs: undefined, heard: "" };
      const end = () => {
        slow.endedMs ??= performance.now() - slow.since;
        socket.destroy();
      };
      socket.on("close", end);
      if (reads) {
        socket.on("data", (part) => {
          slow.heard ||= String(part).split("\r\n", 1)[0] ?? "";
        });
        socket.on("end", end);
      } else socket.pause();
      const sent = first?.(all.length);
      if (sent) socket.write(sent);
      all.push(slow);
    }
    await sleep((together * 1_000) / perSecond);
  }
  let at = 0;
  const dripping = setInterval(() => {
    for (let nth = at % slices; drip && nth < all.length; nth += slices) {
      const socket = all[nth]?.socket;
      if (socket?.writable) socket.write(drip[Math.floor(at / slices) % drip.length] ?? "");
    }
    at += 1;
  }, 1_000 / slices);
  return {
    all,
    ended: () => all.filter(({ socket, endedMs }) => endedMs !== undefined || socket.destroyed).length,
    leave() {
      clearInterval(dripping);
      for (const { socket } of all) socket.destroy();
    },
  };
}
