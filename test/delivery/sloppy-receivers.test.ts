/** Receivers that are sloppy but understood by curl: what the worker accepts, and what it refuses. (docs/deliveries.md#sloppy-receivers) */
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { parseRanges } from "../../src/delivery/address.ts";
import { createPoster, type Failure, type Poster } from "../../src/delivery/post.ts";
import { opening } from "../support/opened.ts";
import { startRawReceiver } from "../support/receiver.ts";

const allowed = parseRanges("127.0.0.0/8, ::1/128");

const posting = (extraCa: string): Poster => opening(createPoster({ allowed, extraCa }));
/** Returns when the connection can be used again. */
async function post(poster: Poster, url: string) {
  const outcome = await poster.post({ url, headers: {}, body: "{}" });
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return outcome;
}

const ok = "HTTP/1.1 200 OK\r\n";
const answer = `${ok}content-length: 0\r\n\r\n`;
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const go = "HTTP/1.1 100 Continue\r\n\r\n";

test.each<[string, string, number | null, Failure | null]>([
  ["sends 100 Continue", `${go}${answer}`, 200, null],
  ["sends 100 Continue with a header, twice", `HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n${go}${answer}`, 200, null],
  ["sends 100 Continue and fails", `${go}HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n`, 500, null],
  [
    "sends 102, 103, 199 and 100",
    `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 199 Wait\r\n\r\n${go}${answer}`,
    200,
    null,
  ],
  ["has no reason phrase", "HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n", 200, null],
  ["speaks HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nfine", 200, null],
  ["ends its body by closing", `${ok}\r\nfine`, 200, null],
  ["has a body with 204", "HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok", 204, null],
  ["has bytes of UTF-8 in a header", `${ok}server: Zürich\r\ncontent-length: 0\r\n\r\n`, 200, null],
  ["has 60 KB of headers", `${ok}x: ${"a".repeat(60_000)}\r\ncontent-length: 0\r\n\r\n`, 200, null],
  ["has more than its length", `${ok}content-length: 2\r\n\r\nok and more`, 200, null],
  ["has an unknown coding that closing ends", `${ok}transfer-encoding: identity\r\n\r\nok`, 200, null],
  ["has the coding identity before chunks", `${ok}transfer-encoding: identity, chunked\r\n\r\n0\r\n\r\n`, 200, null],
  ["has an extension of a chunk", `${chunked}2;a=b\r\nok\r\n0\r\n\r\n`, 200, null],
  ["has trailers", `${chunked}2\r\nok\r\n0\r\nx: y\r\n\r\n`, 200, null],
  ["does not end its chunks", `${chunked}2\r\nok\r\n`, 200, "transport"],
  ["has less than its length", `${ok}content-length: 9\r\n\r\nok`, 200, "transport"],
  [
    "upgrades",
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
    null,
    "transport",
  ],
  ["only continues", go, null, "transport"],
  [
    "has a length and chunks",
    `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    null,
    "transport",
  ],
  [
    "has a length and the coding identity",
    `${ok}content-length: 2\r\ntransfer-encoding: identity\r\n\r\nok`,
    null,
    "transport",
  ],
  ["has the same length twice", `${ok}content-length: 0\r\ncontent-length: 0\r\n\r\n`, null, "transport"],
  ["ends lines without CR", "HTTP/1.1 200 OK\ncontent-length: 0\n\n", null, "transport"],
  ["has a space before a colon", `${ok}content-length : 0\r\n\r\n`, null, "transport"],
  ["has a control character in a header", `${ok}x: \u0001\r\ncontent-length: 0\r\n\r\n`, null, "transport"],
  ["folds a header", `${ok}x: a\r\n b\r\ncontent-length: 0\r\n\r\n`, null, "transport"],
  ["has a space after the size of a chunk", `${chunked}2 \r\nok\r\n0\r\n\r\n`, 200, "transport"],
  ["has more than 64 KB of headers", `${ok}x: ${"a".repeat(70_000)}\r\ncontent-length: 0\r\n\r\n`, null, "transport"],
])("an attempt at a receiver that %s", async (_what, words, statusCode, failure) => {
  const receiver = opening(await startRawReceiver((socket) => socket.end(words)));
  expect(await post(posting(receiver.ca), receiver.url)).toMatchObject({ statusCode, failure });
});

test("an attempt at a receiver with the coding identity that does not close lasts until its time-out", async () => {
  const words = `${ok}transfer-encoding: identity\r\n\r\nok`;
  const receiver = opening(await startRawReceiver((socket) => socket.write(words)));
  const poster = opening(createPoster({ allowed, extraCa: receiver.ca, timeoutMs: 1_000 }));
  expect(await post(poster, receiver.url)).toMatchObject({ statusCode: 200, failure: "timeout" });
});

/** Answers each request of a connection by its number, from 1. */
async function startSerial(respond: (socket: TLSSocket, connection: number, request: number) => void) {
  const requests: [connection: number, request: number][] = [];
  let connections = 0;
  const receiver = opening(
    await startRawReceiver((socket) => {
      const connection = ++connections;
      let request = 0;
      const next = () => {
        requests.push([connection, ++request]);
        respond(socket, connection, request);
      };
      socket.on("data", next);
      next();
    }),
  );
  return { ...receiver, requests };
}

test("100 Continue is skipped byte by byte, on a kept connection too", async () => {
  const slowly = async (socket: Socket) => {
    for (const byte of `${go}${answer}`) {
      socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const receiver = await startSerial(slowly);
  const poster = posting(receiver.ca);
  for (let number = 1; number <= 3; number += 1) {
    expect(await post(poster, receiver.url)).toMatchObject({ statusCode: 200, failure: null });
  }
  expect(receiver.requests).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
  ]);
});

test.each<[string, (socket: Socket) => unknown]>([
  ["closes", (socket) => socket.end()],
  ["resets", (socket) => socket.destroy()],
])("a kept connection that the receiver %s is replaced at once, in the same attempt", async (_what, close) => {
  const receiver = await startSerial((socket, connection, request) =>
    connection === 1 && request === 2 ? close(socket) : socket.write(answer),
  );
  const poster = posting(receiver.ca);
  await post(poster, receiver.url);
  expect(await post(poster, receiver.url)).toMatchObject({ statusCode: 200, failure: null });
  expect(receiver.requests).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
  ]);
});

test("a new connection that the receiver closes is not replaced, and a kept one only once", async () => {
  const fresh = await startSerial((socket) => socket.end());
  expect(await post(posting(fresh.ca), fresh.url)).toMatchObject({ statusCode: null, failure: "transport" });
  expect(fresh.requests).toEqual([[1, 1]]);

  const kept = await startSerial((socket, connection, request) =>
    connection === 1 && request === 1 ? socket.write(answer) : socket.end(),
  );
  const poster = posting(kept.ca);
  await post(poster, kept.url);
  expect(await post(poster, kept.url)).toMatchObject({ statusCode: null, failure: "transport" });
  expect(kept.requests).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
  ]);
});

test.each(["H", go, "HTTP/1.1 200 OK\r\n"])(
  "a kept connection that breaks off after %j is not replaced",
  async (words) => {
    const receiver = await startSerial((socket, _connection, request) =>
      request === 1 ? socket.write(answer) : socket.end(words),
    );
    const poster = posting(receiver.ca);
    await post(poster, receiver.url);
    expect(await post(poster, receiver.url)).toMatchObject({ statusCode: null, failure: "transport" });
    expect(receiver.requests).toHaveLength(2);
  },
);

test("a response that a receiver sends before its request is no answer to it", async () => {
  const receiver = await startSerial((socket, connection) => {
    socket.write(answer);
    if (connection === 1) setTimeout(() => socket.write(answer), 20);
  });
  const poster = posting(receiver.ca);
  await post(poster, receiver.url);
  const [first] = receiver.sockets;
  if (first && !first.destroyed) await new Promise((resolve) => first.once("close", resolve));
  expect(await post(poster, receiver.url)).toMatchObject({ statusCode: 200, failure: null });
  expect(receiver.requests).toEqual([
    [1, 1],
    [2, 1],
  ]);
});
