/** Responses of receivers and their outcomes. For faults of the connection see post-adversity.test.ts. */
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { parseRanges } from "../../src/delivery/address.ts";
import { createPoster, type Poster, type PosterSettings } from "../../src/delivery/post.ts";
import { startForwardProxy } from "../support/forward-proxy.ts";
import { opening } from "../support/opened.ts";
import { type Receiver, type Respond, startReceiver } from "../support/receiver.ts";
import { longestWaitMs } from "../support/worker.ts";

const loopback = parseRanges("127.0.0.0/8, ::1/128");

async function receiving(respond?: Respond): Promise<Receiver> {
  return opening(await startReceiver(respond ? { respond } : {}));
}

function posting(receiver: Receiver, settings: Partial<PosterSettings> = {}): Poster {
  return opening(createPoster({ allowed: loopback, extraCa: receiver.ca, ...settings }));
}

const answering = (status: number, headers: Record<string, string> = {}): Respond => {
  return (_request, response: ServerResponse) => response.writeHead(status, headers).end("ok");
};

test("post sends method, headers and body byte for byte", async () => {
  const receiver = await receiving();
  const body = '{"data":"schöne Grüße"}';
  const headers = { "content-type": "application/json", "x-botstead-event": "webhook.test" };
  const outcome = await posting(receiver).post({ url: `${receiver.url}/hooks/a?b=c`, headers, body });

  expect(outcome).toEqual({
    statusCode: 200,
    failure: null,
    retryAfterSeconds: null,
    durationMs: expect.any(Number),
  });
  expect(Number.isInteger(outcome.durationMs)).toBe(true);
  const [request] = await receiver.waitFor(1, longestWaitMs);
  expect(request).toMatchObject({ path: "/hooks/a?b=c", headers, body });
  expect(request?.headers["accept-encoding"]).toBeUndefined();
});

test.each([204, 404, 410, 500, 503])("post returns status %i unchanged", async (status) => {
  const receiver = await receiving(answering(status));
  const outcome = await posting(receiver).post({ url: receiver.url, headers: {}, body: "{}" });
  expect(outcome).toMatchObject({ statusCode: status, failure: null });
});

test.each([301, 302, 307, 308])("post does not follow a redirect with %i", async (status) => {
  const elsewhere = await receiving();
  const receiver = await receiving(answering(status, { location: elsewhere.url }));
  const poster = posting(receiver);
  const outcome = await poster.post({ url: receiver.url, headers: {}, body: "{}" });
  expect(outcome).toMatchObject({ statusCode: status, failure: "redirect" });
  expect(receiver.received).toHaveLength(1);
  expect(elsewhere.received).toHaveLength(0);
});

test.each([300, 304])("post reports %i without a location as a redirect", async (status) => {
  const receiver = await receiving(answering(status));
  const outcome = await posting(receiver).post({ url: receiver.url, headers: {}, body: "{}" });
  expect(outcome).toMatchObject({ statusCode: status, failure: "redirect" });
});

describe("the response body", () => {
  const sending = (bytes: number): Respond => {
    return (_request, response) => response.writeHead(200).end(Buffer.alloc(bytes, "a"));
  };

  test("may have 64 KB", async () => {
    const receiver = await receiving(sending(64 * 1024));
    const outcome = await posting(receiver).post({ url: receiver.url, headers: {}, body: "{}" });
    expect(outcome).toMatchObject({ statusCode: 200, failure: null });
  });

  test("of one byte more fails the attempt, even with status 200", async () => {
    const receiver = await receiving(sending(64 * 1024 + 1));
    const outcome = await posting(receiver).post({ url: receiver.url, headers: {}, body: "{}" });
    expect(outcome).toMatchObject({ statusCode: 200, failure: "size" });
  });

  test("without end is cut off", async () => {
    let cut: Promise<unknown> | undefined;
    const receiver = await receiving((_request, response) => {
      cut = new Promise((resolve) => response.once("close", resolve));
      const flood = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16 * 1024))) {}
      };
      response.on("drain", flood);
      flood();
    });
    const outcome = await posting(receiver).post({ url: receiver.url, headers: {}, body: "{}" });
    expect(outcome).toMatchObject({ statusCode: 200, failure: "size" });
    await cut;
  });

  test("is not decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(64 * 1024);
    const receiver = await receiving((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    const outcome = await posting(receiver).post({ url: receiver.url, headers: {}, body: "{}" });
    expect(outcome).toMatchObject({ statusCode: 200, failure: null });
  });
});

describe("connections", () => {
  test("are reused for the next post", async () => {
    const ports = new Set<number | undefined>();
    const receiver = await receiving((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("ok");
    });
    const poster = posting(receiver);
    for (let count = 0; count < 3; count++) {
      await poster.post({ url: receiver.url, headers: {}, body: "{}" });
      await new Promise(setImmediate); // the connection is free one turn after the response was read
    }
    expect(receiver.received).toHaveLength(3);
    expect(ports.size).toBe(1);
  });

  test("are one for each concurrent post to a host, so that none waits for another", async () => {
    const waiting: ServerResponse[] = [];
    const receiver = await receiving(({ url }, response) => {
      if (url === "/slow") waiting.push(response);
      else response.end("ok");
    });
    const poster = posting(receiver);
    const posts = Array.from({ length: 100 }, () =>
      poster.post({ url: `${receiver.url}/slow`, headers: {}, body: "{}" }),
    );
    await receiver.waitFor(100, longestWaitMs);
    expect(await poster.post({ url: receiver.url, headers: {}, body: "{}" })).toMatchObject({ statusCode: 200 });
    expect(waiting).toHaveLength(100);
    for (const response of waiting) response.end("ok");
    for (const outcome of await Promise.all(posts)) expect(outcome).toMatchObject({ statusCode: 200, failure: null });
  });

  test("ignore the proxy variables of the environment", async () => {
    const before = { ...process.env };
    const proxy = opening(await startForwardProxy());
    const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
    for (const name of names) process.env[name] = name.startsWith("NODE") ? "1" : proxy.url;
    try {
      const receiver = await receiving();
      const outcome = await posting(receiver).post({ url: receiver.url, headers: {}, body: "{}" });
      expect(outcome).toMatchObject({ statusCode: 200, failure: null });
      expect(proxy.sockets.size).toBe(0);
      expect(proxy.targets).toEqual([]);
    } finally {
      for (const name of names) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  test("are closed only after the current posts have an outcome", async () => {
    const receiver = await receiving((_request, response) => setTimeout(() => response.end("ok"), 100));
    const poster = createPoster({ allowed: loopback, extraCa: receiver.ca });
    const outcome = poster.post({ url: receiver.url, headers: {}, body: "{}" });
    await receiver.waitFor(1, longestWaitMs);
    await poster.close();
    expect(await outcome).toMatchObject({ statusCode: 200, failure: null });
    await expect(poster.post({ url: receiver.url, headers: {}, body: "{}" })).rejects.toThrow("closed");
  });
});

test("post throws for an invalid header, because it is a bug and no failure of the receiver", async () => {
  const receiver = await receiving();
  const post = posting(receiver).post({ url: receiver.url, headers: { "x-botstead-event": "a\r\nb: c" }, body: "{}" });
  await expect(post).rejects.toThrow("header");
});
