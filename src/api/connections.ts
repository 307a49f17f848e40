/**
 * Client connections. Malformed requests, invalid heads and CONNECT are refused with the error envelope, after the answers to
 * earlier requests; then the connection ends. Pipelined requests run one at a time.
 * (docs/decisions/0011-http-requests.md)
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Detail } from "../contract/refusals.ts";
import type { Backlog } from "../web/backlog.ts";
import { flawOfHead, pathOf } from "../web/head.ts";
import { reasonPhrase } from "../web/listening.ts";
import { afterReading } from "./limits/late-requests.ts";
import { type Answer, newRequestId } from "./request.ts";
import { refusal, send } from "./stages/respond.ts";

/** The latest response of a connection, and how many requests arrived without waiting for an answer. */
type Pipeline = { latest: ServerResponse; length: number };

/** Called for each refusal that was sent by this file. */
export type OnRefusal = (method: string, requestId: string, answer: Answer) => void;

type ParserError = Error & { code?: string };
const timeoutCode = "ERR_HTTP_REQUEST_TIMEOUT";

/** How long a client may read the last answer before its socket is destroyed. */
const lingerMs = 1_000;
/** One packet can carry a thousand pipelined requests. */
const maxPipelined = 100;
/** The memory of a waiting pipelined request: about fifty times its size on the wire. */
const pipelinedBytes = 8 * 1024;

export type Connections = {
  /**
   * Ends each connection after its next answer, and idle connections after `quietMs`. A request that arrives after that is not
   * started, and its client can see that.
   */
  stop(quietMs: number): void;
};

/** @param unsent counts pipelined requests that wait for earlier ones */
export function serveConnections(
  server: Server,
  app: RequestListener,
  unsent: Backlog,
  onRefusal: OnRefusal,
): Connections {
  /** Undefined before a connection's first request. Answers go out in order, so the latest response closes last. */
  const connections = new Map<Duplex, Pipeline | undefined>();
  let isStopping = false;
  const refused = new WeakSet<Duplex>();

  /**
   * Runs one request of a connection at a time, in order. The next begins after the earlier answer was sent and other
   * connections have had their turn. So a client that reads no answers causes no work.
   */
  function receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.writableEnded) return;
    const pipeline = connections.get(socket);
    if (pipeline && !pipeline.latest.shouldKeepAlive) return; // nothing is answered after a connection's last answer
    if (isStopping) response.shouldKeepAlive = false;
    if (!pipeline || pipeline.latest.closed) {
      connections.set(socket, { latest: response, length: 1 });
      return void begin(request, response);
    }
    const before = pipeline.latest;
    pipeline.latest = response;
    pipeline.length += 1;
    if (pipeline.length >= maxPipelined) response.shouldKeepAlive = false;
    const release = unsent.track(pipelinedBytes, () => socket.destroy());
    before.once("close", () => {
      release();
      if (before.shouldKeepAlive && before.writableFinished) setImmediate(begin, request, response);
      else emitClose(response);
    });
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    if (response.headersSent || response.closed) return; // refused already, or disconnected
    const flaw = flawOfHead(request);
    if (flaw) return void refuse(request.method ?? "", response, flaw);
    request.url = pathOf(request.url ?? "");
    // Protocol upgrades are not supported. Node has dropped any data behind the request, so the connection ends.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    app(request, response);
  }

  function refuse(method: string, response: ServerResponse, detail: Detail): void {
    const requestId = newRequestId();
    const answer = refusal("invalid_request", requestId, [detail]);
    response.shouldKeepAlive = false;
    send(response, answer);
    onRefusal(method, requestId, answer);
  }

  /** Refuses when there is no response object to answer with. */
  function refuseConnection(method: string, socket: Duplex, answerOf: (requestId: string) => Answer): void {
    const requestId = newRequestId();
    const answer = answerOf(requestId);
    const respond = () => {
      if (!socket.writable) return;
      socket.resume().end(asBytes(answer)); // keeps reading, to see when the client closes too
      setTimeout(() => socket.destroy(), lingerMs).unref();
      onRefusal(method, requestId, answer);
    };
    const before = connections.get(socket)?.latest;
    if (before && !before.closed) before.once("close", respond);
    else respond();
  }

  function endIdle(): void {
    for (const [socket, pipeline] of connections) {
      const latest = pipeline?.latest;
      if (!latest || latest.closed) endSoftly(socket);
      // This answer may have been sent as keep-alive. If another request came meanwhile, its answer ends the connection.
      else latest.once("close", () => pipeline.latest === latest && endSoftly(socket));
    }
  }

  server.on("connection", (socket: Socket) => {
    connections.set(socket, undefined);
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", receive);
  // `100 Continue` is sent only when the body is read (stages/read.ts). Other expectations are ignored.
  server.on("checkContinue", receive);
  server.on("checkExpectation", receive);
  server.on("connect", (_request, socket) => {
    socket.on("error", () => {});
    refuseConnection("CONNECT", socket, (requestId) => refusal("not_found", requestId));
  });
  function refuseFaulty(error: ParserError, socket: Socket): void {
    const response = connections.get(socket)?.latest;
    // The client may be sending its first request now, and would treat this answer as the answer to that request.
    if (error.code === timeoutCode && socket.bytesRead === 0) return void socket.destroy();
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    if (refused.has(socket)) return; // the parser reports an error for every further packet
    refused.add(socket);
    if (!response || response.req.complete) {
      return void refuseConnection("", socket, (id) => refusal("invalid_request", id, [detailOf(error)]));
    }
    // The error is in the body of that request, or the body did not arrive in time.
    if (!response.headersSent) refuse(response.req.method ?? "", response, detailOf(error));
    else if (response.closed) socket.destroy();
    else response.once("close", () => socket.destroy());
  }

  server.on("clientError", (error: ParserError, duplex) => {
    const socket = duplex as Socket;
    if (error.code !== timeoutCode) return refuseFaulty(error, socket);
    afterReading(
      socket,
      () => connections.get(socket)?.latest,
      () => refuseFaulty(error, socket),
    );
  });

  return {
    stop(quietMs) {
      isStopping = true;
      for (const pipeline of connections.values()) {
        if (pipeline && !pipeline.latest.headersSent) pipeline.latest.shouldKeepAlive = false;
      }
      setTimeout(endIdle, quietMs).unref();
    },
  };
}

/** Ends our side and keeps reading for a moment: unread data would make the system reset the connection. */
function endSoftly(socket: Duplex): void {
  socket.end();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Node emits no "close" for a pipelined response that never got its turn, but its listeners release resources then. */
function emitClose(response: ServerResponse): void {
  response.destroyed = true;
  response.emit("close");
}

function detailOf({ code }: ParserError): Detail {
  if (code === "HPE_HEADER_OVERFLOW") return { path: "headers", message: "must be smaller than 16 KB altogether" };
  if (code === timeoutCode) return { path: "request", message: "must arrive in time" };
  return { path: "request", message: "must be HTTP/1.1" };
}

function asBytes({ status, headers, body }: Answer): string {
  const all = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" });
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\n${lines}\r\n${body}`;
}
