/** Sends raw bytes to a port and reads the responses, for requests that no HTTP client would send. */
import { connect, type Socket } from "node:net";
import type { Json, Reply } from "../support/api.ts";

export type Heard = {
  /** Responses in order, without 100 Continue. */
  replies: Reply<Json>[];
  /** Number of 100 Continue responses. */
  continues: number;
  /** Whether the server closed the connection. */
  closed: boolean;
  /** Received bytes that are not a complete response. */
  rest: string;
};

export type Speech = {
  /** Resolves after this many responses; by default when the server closes the connection. */
  replies?: number;
  /** Responses have no body, as to HEAD. */
  bodiless?: boolean;
  withinMs?: number;
};

/** A request that ends the connection, so that all earlier requests have been answered. */
export const last = "GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";

/** A connection on which nothing is an error, because tests expect that the server disconnects. */
export function open(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket)).on("error", () => resolve(socket));
  });
}

/** Writes everything at once and reads until enough has arrived. */
export function speak(port: number, bytes: string | Buffer, speech: Speech = {}): Promise<Heard> {
  const { replies = Number.POSITIVE_INFINITY, bodiless = false, withinMs = 15_000 } = speech;
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...readReplies(Buffer.concat(parts), bodiless), closed });
    };
    const timer = setTimeout(() => finish(false), withinMs);
    socket.on("data", (part) => {
      parts.push(part);
      if (replies === Number.POSITIVE_INFINITY) return;
      if (readReplies(Buffer.concat(parts), bodiless).replies.length >= replies) finish(false);
    });
    socket.on("error", () => {});
    socket.on("end", () => socket.end());
    socket.on("close", () => finish(true));
  });
}

function readReplies(bytes: Buffer, bodiless: boolean): Omit<Heard, "closed"> {
  const replies: Reply<Json>[] = [];
  let continues = 0;
  let at = 0;
  for (;;) {
    const end = bytes.indexOf("\r\n\r\n", at);
    const [first = "", ...lines] = bytes.subarray(at, Math.max(end, at)).toString("latin1").split("\r\n");
    const status = Number(first.match(/^HTTP\/1\.1 (\d{3}) /)?.[1]);
    if (end < 0 || !status) break;
    if (status === 100) {
      continues += 1;
      at = end + 4;
      continue;
    }
    const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
    const length = bodiless ? 0 : Number(headers.get("content-length") ?? 0);
    if (bytes.length < end + 4 + length) break;
    const text = bytes.subarray(end + 4, end + 4 + length).toString("utf8");
    const isJson = headers.get("content-type")?.startsWith("application/json") && text !== "";
    replies.push({ status, headers, text, body: isJson ? JSON.parse(text) : {} });
    at = end + 4 + length;
  }
  return { replies, continues, rest: bytes.subarray(at).toString("latin1") };
}
