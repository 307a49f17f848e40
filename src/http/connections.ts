/**
 * What becomes of a connection beside its requests: what Node's parser refuses, what it lets through and we refuse, what is
 * not for us at all. Each is answered with the envelope, in its turn behind the requests before it, which are done and
 * answered as ever; and it is the last that this connection says. (Part 7; docs/decisions.md, "HTTP".)
 */
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Detail } from "../contract/refusals.ts";
import { type Answer, refusal, send } from "./answer.ts";
import type { Backlog } from "./backlog.ts";
import { declaredLength, mostBytes } from "./body.ts";
import { flawOfHead, pathOf } from "./head.ts";
import { newRequestId } from "./request-id.ts";

/** What was asked on a connection, as far as it is still of interest. */
type Asked = { latest: ServerResponse; inARow: number };

/** Told of each refusal that no operation and no page answered. */
export type Note = (method: string, requestId: string, answer: Answer) => void;

type ParserError = Error & { code?: string };

/** For how long who was refused may read what they were told. */
const lingerMs = 1_000;
/** Of requests that come without waiting for answers. In one packet there is room for a thousand. */
const mostInARow = 100;
/** What one of them costs until its turn has come, in bytes: fifty times what it is. */
const costInARow = 8 * 1024;

export type Attendance = {
  /**
   * From now on each connection ends with its next answer. What says nothing for `quietMs` is ended too, but not cut off: what
   * is on its way then is not begun, and its sender sees that it was not.
   */
  stop(quietMs: number): void;
};

/** @param unsent where requests count that wait for others of their connection */
export function attend(server: Server, app: RequestListener, unsent: Backlog, note: Note): Attendance {
  /** Answers come in the order of requests, so whoever waits for the last has waited for all; undefined before the first. */
  const connections = new Map<Duplex, Asked | undefined>();
  let isStopping = false;
  const refused = new WeakSet<Duplex>();

  /**
   * One request of a connection at a time: the next is begun when the answer before it has been taken, and other
   * connections have had their turn. So whoever takes none is not worked for, and what is sent in a row is done in its order.
   */
  function take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.writableEnded) return;
    const asked = connections.get(socket);
    // What comes behind the last answer of a connection is nobody's request; here, and below, where that turns out later.
    if (asked && !asked.latest.shouldKeepAlive) return;
    if (isStopping) response.shouldKeepAlive = false;
    if (!asked || asked.latest.closed) {
      connections.set(socket, { latest: response, inARow: 1 });
      return void begin(request, response);
    }
    const before = asked.latest;
    asked.latest = response;
    asked.inARow += 1;
    if (asked.inARow >= mostInARow) response.shouldKeepAlive = false;
    const release = unsent.hold(costInARow, () => socket.destroy());
    before.once("close", () => {
      release();
      if (before.shouldKeepAlive && before.writableFinished) setImmediate(begin, request, response);
      else abandon(response);
    });
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    if (response.headersSent || response.closed) return; // its body was refused already, or its connection has ended
    const flaw = flawOfHead(request);
    if (flaw) return void refuse(request.method ?? "", response, flaw);
    request.url = pathOf(request.url ?? "");
    // We become no other protocol. What came behind such a request in one packet Node has thrown away.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    app(request, response);
  }

  function refuse(method: string, response: ServerResponse, detail: Detail): void {
    const requestId = newRequestId();
    const answer = refusal("invalid_request", requestId, [detail]);
    response.shouldKeepAlive = false;
    send(response, answer);
    note(method, requestId, answer);
  }

  /** The same, where there is no request to answer. */
  function refuseConnection(method: string, socket: Duplex, answerOf: (requestId: string) => Answer): void {
    const requestId = newRequestId();
    const answer = answerOf(requestId);
    const say = () => {
      if (!socket.writable) return;
      socket.resume().end(asBytes(answer)); // reads on, so as to hear when the other side has closed too
      setTimeout(() => socket.destroy(), lingerMs).unref();
      note(method, requestId, answer);
    };
    const before = connections.get(socket)?.latest;
    if (before && !before.closed) before.once("close", say);
    else say();
  }

  function endQuiet(): void {
    for (const [socket, asked] of connections) {
      const latest = asked?.latest;
      if (!latest || latest.closed) part(socket);
      // It may have said that more may be asked. Where more was asked meanwhile, that is the last, and ends it.
      else latest.once("close", () => asked.latest === latest && part(socket));
    }
  }

  server.on("connection", (socket: Socket) => {
    connections.set(socket, undefined);
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", take);
  // What a client expects before it sends its body, we promise unless it would be refused; nothing else is promised.
  server.on("checkContinue", (request, response) => {
    if (declaredLength(request) <= mostBytes) response.writeContinue();
    take(request, response);
  });
  server.on("checkExpectation", take);
  server.on("connect", (_request, socket) => {
    socket.on("error", () => {});
    refuseConnection("CONNECT", socket, (requestId) => refusal("not_found", requestId));
  });
  server.on("clientError", (error: ParserError, socket) => {
    const response = connections.get(socket)?.latest;
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    if (refused.has(socket)) return; // the parser complains of every further part
    refused.add(socket);
    if (!response || response.req.complete) {
      return void refuseConnection("", socket, (id) => refusal("invalid_request", id, [detailOf(error)]));
    }
    // It is the body of that request which is wrong, or does not come.
    if (!response.headersSent) refuse(response.req.method ?? "", response, detailOf(error));
    else if (response.closed) socket.destroy();
    else response.once("close", () => socket.destroy());
  });

  return {
    stop(quietMs) {
      isStopping = true;
      for (const asked of connections.values()) {
        if (asked && !asked.latest.headersSent) asked.latest.shouldKeepAlive = false;
      }
      setTimeout(endQuiet, quietMs).unref();
    },
  };
}

/** Ends our side, and reads on: data that nobody reads would have the system cut the other side off. */
function part(socket: Duplex): void {
  socket.end();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Node lets go of an answer that waits for others without a word when their connection ends: whoever waits for it is told here. */
function abandon(response: ServerResponse): void {
  response.destroyed = true;
  response.emit("close");
}

function detailOf({ code }: ParserError): Detail {
  if (code === "HPE_HEADER_OVERFLOW") return { path: "headers", message: "must be smaller than 16 KB altogether" };
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return { path: "request", message: "must arrive in time" };
  return { path: "request", message: "must be HTTP/1.1" };
}

function asBytes({ status, headers, body }: Answer): string {
  const all = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" });
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`;
}
