/**
 * A connection that can be given up although its other side says nothing: the network lost it, its machine is gone, or the
 * database stands still.
 */
import { Socket } from "node:net";
import { Client, type ClientConfig } from "pg";

/**
 * Has the system ask a connection on which nothing is said whether anybody is there: after so long, then every second, ten
 * times (Node, on Linux and macOS). Where something was sent and not acknowledged it does not ask, and waits a quarter of
 * an hour; nor does it tell a proxy that answers for whoever is behind it. So each statement has a time of its own as well.
 */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } satisfies ClientConfig;

/** An end in order needs an answer. */
const patienceMs = 2_000;

export class RetractableClient extends Client {
  readonly #socket: Socket;

  constructor(config?: ClientConfig) {
    const socket = new Socket();
    super({ ...keptAlive, ...config, stream: () => socket });
    this.#socket = socket;
  }

  /** What was sent and not heard yet is taken back, or it would be heard when a way is found again. A pool drops it then. */
  giveUp(): void {
    this.#socket.resetAndDestroy();
    void this.end();
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    setTimeout(() => this.#socket.destroy(), patienceMs).unref();
    return callback ? super.end(callback) : super.end();
  }
}
