/** The client of every long-lived connection: it can be closed at once although the server does not answer. */
import { Socket } from "node:net";
import { Client, type ClientConfig } from "pg";
import { timeouts } from "./timeouts.ts";

/**
 * TCP keep-alive: probes start after 10 s of silence, then every second, ten times (Node, on Linux and macOS). The
 * kernel sends no probes while sent data is unacknowledged, and a proxy answers for the server behind it. So statements
 * have time-outs as well.
 */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } satisfies ClientConfig;

export class AbortableClient extends Client {
  readonly #socket: Socket;

  constructor(config?: ClientConfig) {
    const socket = new Socket();
    super({ ...keepAlive, ...config, stream: () => socket });
    this.#socket = socket;
  }

  /** Discards unsent data: the server must not receive it after a network outage. A pool drops the connection. */
  abort(): void {
    if (this.#socket.destroyed) return;
    this.#socket.resetAndDestroy();
    void this.end();
  }

  /** Ends the connection in order, or closes it after a time-out. Never rejects. */
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const timer = setTimeout(() => this.#socket.destroy(), timeouts.end).unref();
    this.connection.once("end", () => clearTimeout(timer));
    return callback ? super.end(callback) : super.end();
  }
}
