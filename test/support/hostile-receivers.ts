/** Receivers, names and networks at their worst, all under one authority, and what each attempt at one has to come to. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { Failure } from "../../src/delivery/post.ts";
import { makeAuthority } from "../../src/tour/certificates.ts";
import { type NameServer, startNameServer } from "./name-server.ts";
import { startRawReceiver, startReceiver } from "./receiver.ts";

export type Hostile = { how: string; url: string; statusCode: number | null; failure: Failure | null };

export type HostileReceivers = { ca: string; servers: string[]; all: Hostile[]; close(): Promise<void> };

/** Writes `piece` over and over until the other side hangs up. */
function drip(socket: Socket, piece: string | Buffer, everyMs = 20): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once("close", () => clearInterval(timer));
}

/** The same, as fast as the other side takes it. */
function flood(socket: Socket, piece: string): void {
  const pieces = piece.repeat(Math.ceil(16_384 / piece.length));
  const write = () => {
    while (!socket.destroyed && socket.write(pieces)) {}
  };
  socket.on("drain", write);
  write();
}

type Speaker = [how: string, speak: (socket: Socket) => void, statusCode: number | null, failure: Failure | null];

const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** Those who speak TLS, and then this. */
const speakers: Speaker[] = [
  ["says nothing", () => {}, null, "timeout"],
  ["drips its headers", (socket) => (socket.write("HTTP/1.1 200 OK\r\nx: "), drip(socket, "a")), null, "timeout"],
  ["drips its body", (socket) => (socket.write(chunked), drip(socket, "1\r\na\r\n")), 200, "timeout"],
  ["drips a chunk's extension", (socket) => (socket.write(`${chunked}1;`), drip(socket, "a")), 200, "timeout"],
  [
    "answers 1xx for ever",
    (socket) => drip(socket, "HTTP/1.1 103 Hints\r\nlink: </a>\r\n\r\n".repeat(500)),
    null,
    "timeout",
  ],
  [
    "has headers without end",
    (socket) => (socket.write("HTTP/1.1 200 OK\r\n"), flood(socket, "x: y\r\n")),
    null,
    "transport",
  ],
  [
    "has one header without end",
    (socket) => (socket.write("HTTP/1.1 200 OK\r\nx: "), flood(socket, "a")),
    null,
    "transport",
  ],
  [
    "has a body without end",
    (socket) => (socket.write(chunked), flood(socket, "1000\r\n".padEnd(0x1006, "a").concat("\r\n"))),
    200,
    "size",
  ],
  [
    "has a body without end, by the byte",
    (socket) => (socket.write(chunked), flood(socket, "1\r\na\r\n")),
    200,
    "size",
  ],
  [
    "has trailers without end",
    (socket) => (socket.write(`${chunked}0\r\n`), flood(socket, "x: y\r\n")),
    200,
    "transport",
  ],
  [
    "claims a body of a terabyte",
    (socket) => (socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1099511627776\r\n\r\n"), flood(socket, "a")),
    200,
    "size",
  ],
  [
    "compresses a bomb",
    (socket) => (
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
      socket.write(bomb)
    ),
    200,
    null,
  ],
  ["resets", (socket) => void socket.destroy(), null, "transport"],
  [
    "resets within its body",
    (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf", () => socket.destroy()),
    200,
    "transport",
  ],
  [
    "redirects to itself",
    (socket) => socket.end("HTTP/1.1 307 Again\r\nlocation: /\r\ncontent-length: 0\r\n\r\n"),
    307,
    "redirect",
  ],
  ["speaks no HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"), null, "transport"],
];

/** Those who speak no TLS. */
const mutes: Speaker[] = [
  ["never shakes hands", () => {}, null, "timeout"],
  [
    "shakes hands by the byte",
    (socket) => (socket.write(Buffer.from([22, 3, 3, 64, 0])), drip(socket, Buffer.from([2]))),
    null,
    "timeout",
  ],
  ["speaks no TLS", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"), null, "transport"],
];

export async function startHostileReceivers(): Promise<HostileReceivers> {
  const authority = await makeAuthority();
  const opened: { close(): Promise<void> }[] = [];
  const dns: NameServer = await startNameServer({
    "silent.example": "silence",
    "private.example": ["127.0.0.1", "10.0.0.1"],
    "other.example": ["127.0.0.1"],
  });
  const all: Hostile[] = [];

  for (const [how, speak, statusCode, failure] of speakers) {
    const receiver = await startRawReceiver(speak, authority);
    opened.push(receiver);
    all.push({ how, url: receiver.url, statusCode, failure });
  }
  for (const [how, speak, statusCode, failure] of mutes) {
    const server = await startMute(speak);
    opened.push(server);
    all.push({ how, url: server.url, statusCode, failure });
  }
  const polite = await startReceiver({ authority });
  const stranger = await startReceiver();
  opened.push(polite, stranger, dns);
  all.push(
    {
      how: "presents a certificate for another name",
      url: `https://other.example:${polite.port}`,
      statusCode: null,
      failure: "transport",
    },
    { how: "presents a stranger's certificate", url: stranger.url, statusCode: null, failure: "transport" },
    { how: "has a silent name server", url: "https://silent.example", statusCode: null, failure: "dns" },
    { how: "has a private address among others", url: "https://private.example", statusCode: null, failure: "address" },
    { how: "is polite", url: polite.url, statusCode: 200, failure: null },
  );
  return {
    ca: authority.cert,
    servers: dns.servers,
    all,
    close: async () => void (await Promise.all(opened.map((each) => each.close()))),
  };
}

async function startMute(speak: (socket: Socket) => void): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("close", () => sockets.delete(socket));
    socket.resume();
    speak(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
