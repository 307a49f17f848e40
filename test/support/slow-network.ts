/** A TCP proxy between a client and a server, with which a test simulates network faults. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";

export type SlowNetwork = {
  port: number;
  /** Whether new connections are closed at once. */
  refuse(all: boolean): void;
  /** Whether new connections are accepted but not forwarded. `stall(false)` closes these connections. */
  stall(all: boolean): void;
  /** Number of connections that `stall` keeps open. */
  stalledConnections(): number;
  /** Whether open connections stop forwarding in both directions. `silence(false)` forwards what was sent meanwhile. */
  silence(all: boolean): void;
  /**
   * Closes the connection that gets the next response, after this many bytes of the response have reached the client.
   *
   * @param after number of bytes; if negative, the whole response without that many bytes at its end
   * @returns the response before it was shortened
   */
  cutNextAnswer(after: number): Promise<string>;
  /** Resets all open connections, on both sides. */
  cut(): void;
  /** Resets all connections and connects to this port from now on, as when an address moves. */
  lead(to: number): void;
  close(): Promise<void>;
};

/** @param target port of 127.0.0.1 that the proxy connects to */
export async function slowNetworkTo(target: number): Promise<SlowNetwork> {
  const sockets = new Set<Socket>();
  const stalledConnections = new Set<Socket>();
  const keep = (socket: Socket) => void sockets.add(socket.once("close", () => sockets.delete(socket)));
  let to = target;
  let next: { after: number; resolve: (answer: string) => void } | undefined;
  let mode: "open" | "refusing" | "stalling" = "open";
  const server = createServer((near) => {
    near.on("error", () => {});
    if (mode === "refusing") return void near.destroy();
    keep(near);
    if (mode === "stalling") return void stalledConnections.add(near);
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
        next.resolve(String(answer));
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
      mode = all ? "refusing" : "open";
    },
    stall(all) {
      mode = all ? "stalling" : "open";
      if (all) return;
      for (const near of stalledConnections) near.destroy();
      stalledConnections.clear();
    },
    stalledConnections: () => stalledConnections.size,
    silence(all) {
      for (const socket of sockets) all ? socket.pause() : socket.resume();
    },
    cutNextAnswer: (after) =>
      new Promise((resolve) => {
        next = { after, resolve };
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
