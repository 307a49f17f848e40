/** A line between two parties over TCP, on which a test can do what networks do. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Line = {
  port: number;
  /** Whether who connects from now on is turned away. */
  refuse(all: boolean): void;
  /** Whether who connects from now on is taken, but neither heard nor answered. When it ends, those are cut off. */
  hold(all: boolean): void;
  /** Who is held. */
  held(): number;
  /** What is connected by now is heard no more. */
  silence(): void;
  close(): Promise<void>;
};

/** @param target the port of 127.0.0.1 to which the line leads */
export async function lineTo(target: number): Promise<Line> {
  const sockets = new Set<Socket>();
  const held = new Set<Socket>();
  let mood: "open" | "refusing" | "holding" = "open";
  const server = createServer((near) => {
    near.on("error", () => {});
    if (mood === "refusing") return void near.destroy();
    sockets.add(near);
    if (mood === "holding") return void held.add(near);
    const far = connect(target, "127.0.0.1").on("error", () => {});
    sockets.add(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    refuse(all) {
      mood = all ? "refusing" : "open";
    },
    hold(all) {
      mood = all ? "holding" : "open";
      if (all) return;
      for (const near of held) near.destroy();
      held.clear();
    },
    held: () => held.size,
    silence() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
