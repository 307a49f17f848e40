/** A line between two parties over TCP, on which a test can do what networks do. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";

export type Line = {
  port: number;
  /** Whether who connects from now on is turned away. */
  refuse(all: boolean): void;
  /** Whether who connects from now on is taken, but neither heard nor answered. When it ends, those are cut off. */
  hold(all: boolean): void;
  /** Who is held. */
  held(): number;
  /** Whether what is connected by now is heard no more, in either direction; when it ends, what was said meanwhile is heard. */
  silence(all: boolean): void;
  /**
   * Cuts off whoever is answered next, by the near side's receiving no more than so many bytes of the answer; where that is
   * below 0, all but so many.
   *
   * @returns what was to be answered
   */
  cutNextAnswer(after: number): Promise<string>;
  /** Ends each connection that there is, at once and to both sides. */
  cut(): void;
  /** Cuts, and leads to this port from now on, as an address that moves. */
  lead(to: number): void;
  close(): Promise<void>;
};

/** @param target the port of 127.0.0.1 to which the line leads */
export async function lineTo(target: number): Promise<Line> {
  const sockets = new Set<Socket>();
  const held = new Set<Socket>();
  const keep = (socket: Socket) => void sockets.add(socket.once("close", () => sockets.delete(socket)));
  let to = target;
  let next: { after: number; tell: (answer: string) => void } | undefined;
  let mood: "open" | "refusing" | "holding" = "open";
  const server = createServer((near) => {
    near.on("error", () => {});
    if (mood === "refusing") return void near.destroy();
    keep(near);
    if (mood === "holding") return void held.add(near);
    const far = connect(to, "127.0.0.1").on("error", () => {});
    keep(far);
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroySoon());
    near.pipe(far);
    const answers = new Transform({
      transform(answer: Buffer, _encoding, pass) {
        if (!next) return pass(null, answer);
        near.end(answer.subarray(0, next.after));
        far.destroy();
        next.tell(String(answer));
        next = undefined;
      },
    });
    far.pipe(answers).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
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
    silence(all) {
      for (const socket of sockets) all ? socket.pause() : socket.resume();
    },
    cutNextAnswer: (after) =>
      new Promise((tell) => {
        next = { after, tell };
      }),
    cut,
    lead(other) {
      to = other;
      cut();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
