/** Hundreds of slow peers: they send a byte now and then, send nothing, or do not read the response. */

import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { open } from "./wire.ts";

export type Slow = {
  socket: Socket;
  since: number;
  /** Milliseconds until the server closed the connection. */
  endedMs: number | undefined;
  /** First line of the response, "" if there was none. */
  heard: string;
};

export type Manner = {
  count: number;
  /** Sent at once. */
  first?: (nth: number) => string;
  /** Sent at one byte a second, repeatedly. */
  drip?: string;
  /** Whether the peer reads the response. */
  reads?: boolean;
  /** New connections a second. Each request costs the server work, so the rate is bounded. */
  perSecond?: number;
};

export type Crowd = {
  all: Slow[];
  /** Number of connections that the server closed. */
  ended(): number;
  /** Closes all connections. */
  leave(): void;
};

/** Spreads new connections over each second: bursts of the crowd would distort concurrent measurements. */
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
    // Connections open at a fixed rate.
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
