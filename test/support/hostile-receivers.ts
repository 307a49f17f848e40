/** Hostile receivers, names and networks under one certificate authority, with the expected outcome of an attempt. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { makeAuthority } from "../../examples/tour/certificates.ts";
import type { Failure } from "../../src/delivery/post.ts";
import { type NameServer, startNameServer } from "./name-server.ts";
import { startRawReceiver, startReceiver } from "./receiver.ts";

export type Hostile = { how: string; url: string; statusCode: number | null; failure: Failure | null };

export type HostileReceivers = { ca: string; servers: string[]; all: Hostile[]; close(): Promise<void> };

/** What the receiver does after the first bytes of a connection. */
type Deed = (socket: Socket) => void;

/** Writes `piece` repeatedly until the peer closes the connection. */
const drip =
  (piece: string | Buffer): Deed =>
  (socket) => {
    const timer = setInterval(() => socket.write(piece), 20);
    socket.once("close", () => clearInterval(timer));
  };

/** Writes `piece` over and over, as fast as the other side reads. */
const flood =
  (piece: string): Deed =>
  (socket) => {
    const pieces = piece.repeat(Math.ceil(16_384 / piece.length));
    const write = () => {
      while (!socket.destroyed && socket.write(pieces)) {}
    };
    socket.on("drain", write);
    write();
  };

const wait: Deed = () => {};
const reset: Deed = (socket) => socket.write("", () => socket.destroy());
const end: Deed = (socket) => void socket.end();

type Speaker = [how: string, words: string | Buffer, deed: Deed, statusCode: number | null, failure: Failure | null];

const ok = "HTTP/1.1 200 OK\r\n";
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(500);
const block = `1000\r\n${"a".repeat(0x1000)}\r\n`;
const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
const zipped = Buffer.from(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);

/** Receivers that speak TLS and then send these bytes. */
const speakers: Speaker[] = [
  ["says nothing", "", wait, null, "timeout"],
  ["drips its headers", `${ok}x: `, drip("a"), null, "timeout"],
  ["drips its body", chunked, drip("1\r\na\r\n"), 200, "timeout"],
  ["drips a chunk's extension", `${chunked}1;`, drip("a"), 200, "timeout"],
  ["answers 1xx for ever", interim, drip(interim), null, "timeout"],
  ["has headers without end", ok, flood("x: y\r\n"), null, "transport"],
  ["has one header without end", `${ok}x: `, flood("a"), null, "transport"],
  ["has a body without end", chunked, flood(block), 200, "size"],
  ["has a body without end, by the byte", chunked, flood("1\r\na\r\n"), 200, "size"],
  ["has trailers without end", `${chunked}0\r\n`, flood("x: y\r\n"), 200, "transport"],
  ["announces a body of a terabyte", `${ok}content-length: 1099511627776\r\n\r\n`, flood("a"), 200, "size"],
  ["compresses a bomb", Buffer.concat([zipped, bomb]), wait, 200, null],
  ["resets", "", reset, null, "transport"],
  ["resets within its body", `${ok}content-length: 9\r\n\r\nhalf`, reset, 200, "transport"],
  ["redirects to itself", "HTTP/1.1 307 Again\r\nlocation: /\r\ncontent-length: 0\r\n\r\n", end, 307, "redirect"],
  ["speaks no HTTP", "SSH-2.0-OpenSSH_9.9\r\n", end, null, "transport"],
];

/** Receivers that do not speak TLS. */
const mutes: Speaker[] = [
  ["never shakes hands", "", wait, null, "timeout"],
  ["shakes hands by the byte", Buffer.from([22, 3, 3, 64, 0]), drip(Buffer.from([2])), null, "timeout"],
  ["speaks no TLS", `${ok}content-length: 0\r\n\r\n`, end, null, "transport"],
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

  for (const [how, words, deed, statusCode, failure] of speakers) {
    const receiver = await startRawReceiver((socket) => speak(socket, words, deed), authority);
    opened.push(receiver);
    all.push({ how, url: receiver.url, statusCode, failure });
  }
  for (const [how, words, deed, statusCode, failure] of mutes) {
    const server = await startMute((socket) => speak(socket, words, deed));
    opened.push(server);
    all.push({ how, url: server.url, statusCode, failure });
  }
  const polite = await startReceiver({ authority });
  const otherAuthority = await startReceiver();
  opened.push(polite, otherAuthority, dns);
  all.push(
    {
      how: "presents a certificate for another name",
      url: `https://other.example:${polite.port}`,
      statusCode: null,
      failure: "transport",
    },
    {
      how: "presents a certificate of another authority",
      url: otherAuthority.url,
      statusCode: null,
      failure: "transport",
    },
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

function speak(socket: Socket, words: string | Buffer, deed: Deed): void {
  if (words.length > 0) socket.write(words);
  deed(socket);
}

async function startMute(meet: Deed): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("close", () => sockets.delete(socket));
    socket.resume();
    meet(socket);
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
