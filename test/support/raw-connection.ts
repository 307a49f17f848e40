/** Raw HTTP/1.1 connections to a server of this process, observed from both ends. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";

export type RawResponse = { status: number; closes: boolean; body: string };

export type RawConnection = {
  /** Writes the text. Resolves when the system has it. */
  send(text: string): Promise<void>;
  /** The next whole response; undefined when the server closes without one. @throws Error for a part of a response */
  nextResponse(): Promise<RawResponse | undefined>;
  request(text: string): Promise<RawResponse | undefined>;
  errors: Error[];
  /** Whether the server has ended its side. */
  isClosed(): boolean;
  end(): void;
  pause(): void;
  resume(): void;
  destroy(): void;
  /** The server's socket of this connection. */
  serverSocket: Socket;
  /** The server's responses on this connection, begun or queued. */
  serverResponses: ServerResponse[];
};

export async function aRawConnection(url: string): Promise<RawConnection> {
  const errors: Error[] = [];
  const accepted: Socket[] = [];
  const noteSocket = (message: unknown) => accepted.push((message as { socket: Socket }).socket);
  subscribe("net.server.socket", noteSocket);
  const at = { port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true };
  const socket = connect(at).on("error", (error) => errors.push(error));
  await new Promise((resolve) => socket.once("connect", resolve));
  const ofThis = () => accepted.find(({ remotePort }) => remotePort === socket.localPort);
  while (!ofThis()) await new Promise((resolve) => setImmediate(resolve));
  unsubscribe("net.server.socket", noteSocket);
  const serverSocket = ofThis() as Socket;
  const serverResponses: ServerResponse[] = [];
  const noteResponse = (message: unknown) => {
    const { socket: of, response } = message as { socket: Socket; response: ServerResponse };
    if (of === serverSocket) serverResponses.push(response);
  };
  subscribe("http.server.request.start", noteResponse);
  serverSocket.once("close", () => unsubscribe("http.server.request.start", noteResponse));

  let received = "";
  let closed = false;
  let wake = () => {};
  socket.setEncoding("latin1").on("data", (part) => {
    received += part;
    wake();
  });
  for (const end of ["end", "close"]) {
    socket.once(end, () => {
      closed = true;
      wake();
    });
  }
  const send = (text: string) => new Promise<void>((resolve) => void socket.write(text, () => resolve()));
  const nextResponse = async (): Promise<RawResponse | undefined> => {
    for (;;) {
      const end = received.indexOf("\r\n\r\n");
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
      if (end >= 0 && received.length >= end + 4 + length) {
        const [head, body] = [received.slice(0, end), received.slice(end + 4, end + 4 + length)];
        received = received.slice(end + 4 + length);
        return { status: Number(head.slice(9, 12)), closes: /\r\nconnection: close/i.test(head), body };
      }
      if (closed && received) throw new Error(`The connection ended within a response: ${received.slice(0, 200)}`);
      if (closed) return undefined;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return {
    send,
    nextResponse,
    request(text) {
      void send(text);
      return nextResponse();
    },
    errors,
    isClosed: () => closed,
    end: () => void socket.end(),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    destroy: () => void socket.destroy(),
    serverSocket,
    serverResponses,
  };
}
