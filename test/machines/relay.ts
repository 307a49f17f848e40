/** A way to a port that can be cut, as a network is, and led elsewhere, as an address that moves with the primary. */
import { connect, createServer, type Socket } from "node:net";
import { closing } from "./closing.ts";

export type Relay = {
  port: number;
  /** Ends each connection that there is, at once and to both sides. */
  cut(): void;
  /** Cuts, and leads to this port from now on. */
  lead(to: number): void;
  close(): Promise<void>;
};

export async function startRelay(target: number): Promise<Relay> {
  let to = target;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.once("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: typeof address === "object" && address ? address.port : 0,
    cut,
    lead(other) {
      to = other;
      cut();
    },
    close: closing(async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    }),
  };
}
