/** Hostile receivers, names and networks: every case ends as an outcome, and in time. */
import { type AddressInfo, createServer } from "node:net";
import type { TLSSocket } from "node:tls";
import { parseRanges } from "../../src/delivery/address.ts";
import { createPoster, type Poster, type PosterSettings } from "../../src/delivery/post.ts";
import { opening } from "../support/opened.ts";
import { startRawReceiver, startReceiver } from "../support/receiver.ts";
import { longestWaitMs } from "../support/worker.ts";

const loopback = parseRanges("127.0.0.0/8, ::1/128");

function posting(settings: Partial<PosterSettings> = {}): Poster {
  return opening(createPoster({ allowed: loopback, ...settings }));
}

const post = (poster: Poster, url: string) => poster.post({ url, headers: {}, body: "{}" });

/** Writes `piece` repeatedly until the peer closes the connection. */
function drip(socket: TLSSocket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 20);
  socket.once("close", () => clearInterval(timer));
}

describe("post ends at its deadline for", () => {
  const deadlineMs = 300;

  async function outcomeOf(speak: (socket: TLSSocket) => void) {
    const receiver = opening(await startRawReceiver(speak));
    const poster = posting({ extraCa: receiver.ca, timeoutMs: deadlineMs });
    const startedAt = performance.now();
    const outcome = await post(poster, receiver.url);
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThanOrEqual(deadlineMs - 5);
    expect(tookMs).toBeLessThan(deadlineMs + 5_000);
    // In whole milliseconds, and less than the duration of the test.
    expect(outcome.durationMs).toBeGreaterThanOrEqual(deadlineMs - 5);
    expect(outcome.durationMs).toBeLessThanOrEqual(tookMs + 1);

    // The connection is closed, so it does not continue to drip.
    const [socket] = receiver.sockets;
    if (socket && !socket.destroyed) await new Promise((resolve) => socket.once("close", resolve));
    return outcome;
  }

  test("a receiver that never answers", async () => {
    expect(await outcomeOf(() => {})).toMatchObject({ statusCode: null, failure: "timeout" });
  });

  test("dripping headers", async () => {
    const outcome = await outcomeOf((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx-drip: ");
      drip(socket, "a");
    });
    expect(outcome).toMatchObject({ statusCode: null, failure: "timeout" });
  });

  test("endless interim responses", async () => {
    const outcome = await outcomeOf((socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"));
    expect(outcome).toMatchObject({ statusCode: null, failure: "timeout" });
  });

  test("a dripping body, and reports the status", async () => {
    const outcome = await outcomeOf((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      drip(socket, "1\r\na\r\n");
    });
    expect(outcome).toMatchObject({ statusCode: 200, failure: "timeout" });
  });

  test("a port that accepts and never completes the TLS handshake", async () => {
    const sockets: { destroy(): void }[] = [];
    const mute = createServer((socket) => void sockets.push(socket.on("error", () => {})));
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
    const poster = createPoster({ allowed: loopback, timeoutMs: deadlineMs });
    const startedAt = performance.now();
    const outcome = await post(poster, `https://localhost:${(mute.address() as AddressInfo).port}`);
    expect(outcome).toMatchObject({ statusCode: null, failure: "timeout" });
    expect(performance.now() - startedAt).toBeLessThan(deadlineMs + 5_000);
    await poster.close(); // does not wait for the handshake either
    expect(performance.now() - startedAt).toBeLessThan(deadlineMs + 5_000);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => mute.close(resolve));
  });
});

describe("post reports a transport failure for", () => {
  async function outcomeOf(speak: (socket: TLSSocket) => void) {
    const receiver = opening(await startRawReceiver(speak));
    return post(posting({ extraCa: receiver.ca }), receiver.url);
  }

  test("a reset before the response", async () => {
    expect(await outcomeOf((socket) => socket.destroy())).toMatchObject({ statusCode: null, failure: "transport" });
  });

  test("a reset within the body", async () => {
    const outcome = await outcomeOf((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", () => socket.destroy());
    });
    expect(outcome).toMatchObject({ statusCode: 200, failure: "transport" });
  });

  test.each([
    ["not HTTP", "SSH-2.0-OpenSSH_9.9\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc"],
    ["headers without measure", `HTTP/1.1 200 OK\r\nx-much: ${"a".repeat(100_000)}\r\n\r\n`],
    ["an unrequested upgrade", "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n"],
    ["a malformed chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"],
  ])("a malformed response: %s", async (_what, answer) => {
    expect(await outcomeOf((socket) => socket.end(answer))).toMatchObject({ failure: "transport" });
  });

  test("a certificate of an unknown authority", async () => {
    const receiver = opening(await startReceiver());
    const other = opening(await startReceiver());
    expect(await post(posting({ extraCa: other.ca }), receiver.url)).toMatchObject({ failure: "transport" });
    expect(await post(posting(), receiver.url)).toMatchObject({ failure: "transport" });
    expect(receiver.received).toHaveLength(0);
  });

  test("a certificate for another name of a trusted authority", async () => {
    const receiver = opening(await startReceiver({ hosts: ["elsewhere.example"] }));
    expect(await post(posting({ extraCa: receiver.ca }), receiver.url)).toMatchObject({ failure: "transport" });
    expect(receiver.received).toHaveLength(0);
  });

  test("a certificate for the name when the URL has the address", async () => {
    const receiver = opening(await startReceiver({ hosts: ["localhost"] }));
    const poster = posting({ extraCa: receiver.ca });
    expect(await post(poster, receiver.url)).toMatchObject({ statusCode: 200, failure: null });
    const byAddress = await post(poster, `https://127.0.0.1:${receiver.port}`);
    expect(byAddress).toMatchObject({ statusCode: null, failure: "transport" });
  });

  test("a port without a listener", async () => {
    const receiver = await startReceiver();
    await receiver.close();
    expect(await post(posting(), receiver.url)).toMatchObject({ statusCode: null, failure: "transport" });
  });
});

test("post fails as dns if the name does not resolve", async () => {
  expect(await post(posting(), "https://nope.invalid/")).toMatchObject({ statusCode: null, failure: "dns" });
});

test.each(["http://localhost/", "ftp://localhost/", "not a url"])("post to %s fails as scheme", async (url) => {
  expect(await post(posting(), url)).toMatchObject({ statusCode: null, failure: "scheme" });
});

test("post connects to loopback, by name or address, only if its range is allowed", async () => {
  const receiver = opening(await startReceiver());
  const closed = posting({ allowed: parseRanges(""), extraCa: receiver.ca });
  for (const host of ["localhost", "127.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]"]) {
    const outcome = await post(closed, `https://${host}:${receiver.port}/`);
    expect(outcome).toMatchObject({ statusCode: null, failure: "address" });
  }
  expect(receiver.received).toHaveLength(0);

  const open = posting({ extraCa: receiver.ca });
  expect(await post(open, `https://127.0.0.1:${receiver.port}/`)).toMatchObject({ statusCode: 200, failure: null });
});

test("post uses the name for TLS and the checked address for the connection", async () => {
  let servername: unknown;
  const receiver = opening(
    await startRawReceiver((socket) => {
      servername = (socket as TLSSocket & { servername: unknown }).servername;
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    }),
  );
  expect(await post(posting({ extraCa: receiver.ca }), receiver.url)).toMatchObject({ statusCode: 200 });
  expect(servername).toBe("localhost");
});

describe("an aborted attempt ends", () => {
  test("during its request", async () => {
    const receiver = opening(await startReceiver({ respond: () => {} }));
    const shutdown = new AbortController();
    const attempt = posting({ extraCa: receiver.ca }).post(
      { url: receiver.url, headers: {}, body: "{}" },
      shutdown.signal,
    );
    await receiver.waitFor(1, longestWaitMs);
    shutdown.abort();
    await expect(attempt).rejects.toMatchObject({ name: "AbortError" });
  });

  test("before its request", async () => {
    const receiver = opening(await startReceiver());
    const poster = posting({ extraCa: receiver.ca });
    const request = { url: receiver.url, headers: {}, body: "{}" };
    await expect(poster.post(request, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
    expect(await poster.post(request)).toMatchObject({ statusCode: 200 });
    expect(receiver.received).toHaveLength(1);
  });
});
