/** A client whose connection can be closed at once although the server does not answer. */
import { Socket } from "node:net";
import { Client, type ClientConfig } from "pg";

/**
 * TCP keep-alive: probes start after 10 s of silence, then every second, ten times (Node, on Linux and macOS). The
 * kernel sends no probes while sent data is unacknowledged, and a proxy answers for the server behind it. So statements
 * have time-outs as well.
 */
export const keepAliveSettings = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } satisfies ClientConfig;

/** An orderly end needs an answer of the server. */
const endTimeoutMs = 2_000;

export class AbortableClient extends Client {
  readonly #socket: Socket;

  constructor(config?: ClientConfig) {
    const socket = new Socket();
    super({ ...keepAliveSettings, ...config, stream: () => socket });
    this.#socket = socket;
  }

  /** Discards unsent data: the server must not receive it after a network outage. A pool drops the connection. */
  abort(): void {
    this.#socket.resetAndDestroy();
    void this.end();
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    setTimeout(() => this.#socket.destroy(), endTimeoutMs).unref();
    return callback ? super.end(callback) : super.end();
  }
}
