/** A model service that never stops sending: how much is read, and the result of the run. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { createBrotliCompress, createGzip } from "node:zlib";
import { bounded } from "../../src/runner/engines/models/bounded.ts";
import { modelService } from "../../src/runner/engines/models/service.ts";
import { apiKey, usual, withModelServer } from "../support/model-fixture.ts";
import { json, says, type Turn } from "../support/model-server.ts";

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
const packers = { gzip: createGzip, br: createBrotliCompress };

/** Sends this repeatedly while the connection accepts it. */
const endless =
  (
    words: string,
    { status = 200, type = "text/event-stream", packed = undefined as keyof typeof packers | undefined } = {},
  ) =>
  (response: ServerResponse) => {
    response.writeHead(status, { "content-type": type, ...(packed && { "content-encoding": packed }) });
    const chunk = Buffer.from(words.repeat(Math.ceil((64 * kilobyte) / words.length)));
    const source = new Readable({
      read() {
        this.push(chunk);
      },
    });
    if (packed) pipeline(source, packers[packed](), response, () => {});
    else pipeline(source, response, () => {});
  };

const event = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`;
const nothingNew = event({ choices: [{ index: 0, delta: {}, finish_reason: null }] });

describe("a response without end", () => {
  const server = createServer((request, response) => answer(response, request.method));
  let answer: (response: ServerResponse, method?: string) => void;
  let url: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  async function read(method: string): Promise<number> {
    const response = await bounded(fetch)(url, { method });
    let bytes = 0;
    const reading = (async () => {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.byteLength;
    })();
    await expect(reading).rejects.toThrow("larger than its limit");
    return bytes;
  }

  test.each<[string, Parameters<typeof endless>, string, number]>([
    ["an error", ["no ", { status: 500 }], "POST", 64 * kilobyte],
    ["an error in the list", ["no ", { status: 404, type: "application/json" }], "GET", 64 * kilobyte],
    ["a page", ["<p>", { type: "text/html" }], "POST", 64 * kilobyte],
    ["a line of a stream", ["data: "], "POST", megabyte],
    ["an event of a stream", ["data: \n"], "POST", megabyte],
    ["a stream", [nothingNew], "POST", 4 * megabyte],
    ["a stream of empty lines", ["\r\n"], "POST", 4 * megabyte],
    ["a list", ["[", { type: "application/json" }], "GET", 4 * megabyte],
    ["a packed error (gzip)", ["no ", { status: 500, packed: "gzip" }], "POST", 64 * kilobyte],
    ["a packed line (gzip)", ["data: ", { packed: "gzip" }], "POST", megabyte],
    ["a packed line (br)", ["data: ", { packed: "br" }], "POST", megabyte],
    ["a packed stream (br)", [nothingNew, { packed: "br" }], "POST", 4 * megabyte],
    ["a packed list (br)", ["[", { type: "application/json", packed: "br" }], "GET", 4 * megabyte],
  ])("that is %s is read up to its maximum", async (_what, given, method, bound) => {
    answer = endless(...given);
    const bytes = await read(method);
    expect(bytes).toBeLessThanOrEqual(bound);
    expect(bytes).toBeGreaterThan(bound - 256 * kilobyte); // a chunk that exceeds the limit is dropped as a whole
  });

  test("is read unchanged up to its maximum", async () => {
    const whole = Buffer.alloc(64 * kilobyte, "x");
    answer = (response) => response.writeHead(400).end(whole);
    const response = await bounded(fetch)(url, { method: "POST" });
    expect(response.status).toBe(400);
    expect(Buffer.from(await response.arrayBuffer()).equals(whole)).toBe(true);
  });

  test("that is a dripping list is cancelled after five seconds in total", async () => {
    const list = () => modelService({ baseUrl: url, apiKey }, usual).list();
    answer = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 100);
      response.once("close", () => clearInterval(timer));
    };
    const requestedAt = performance.now();
    await expect(list()).rejects.toThrow("the model service did not respond");
    expect(performance.now() - requestedAt).toBeLessThan(10_000);
  });

  test("that is a list of more than 10,000 entries is ignored", async () => {
    const list = (length: number) => {
      answer = (response) =>
        json(
          200,
          Array.from({ length }, (_, number) => ({ id: `m${number}` })),
        )(response);
      return modelService({ baseUrl: url, apiKey }, usual).list();
    };
    expect(await list(10_000)).toHaveLength(10_000);
    expect(await list(10_001)).toBeUndefined();
  });
});

describe("a run whose service responds without end", () => {
  const at = withModelServer();

  test.each<[string, Turn]>([
    ["its error", endless("no ", { status: 500 })],
    ["its packed error", endless("no ", { status: 500, packed: "gzip" })],
    ["a page in place of an answer", endless("<p>", { type: "text/html" })],
    ["one line", endless("data: ")],
    ["one packed line", endless("data: ", { packed: "br" })],
    ["a stream that says nothing", endless(nothingNew)],
    ["entries of a part that fit nothing", endless(event({ choices: Array(10_000).fill(0) }))],
  ])("with %s fails with executor_failed after three attempts, with bounded memory use", async (_what, fault) => {
    const bot = await at.bot([fault]);
    const before = process.memoryUsage.rss();
    let max = before;
    const watch = setInterval(() => {
      max = Math.max(max, process.memoryUsage.rss());
    }, 20);
    try {
      const run = await bot.worked();
      expect(run).toMatchObject({ state: "failed", error: { code: "executor_failed" } });
      expect(bot.requests()).toHaveLength(3);
    } finally {
      clearInterval(watch);
    }
    expect((max - before) / megabyte).toBeLessThan(250);
  });

  test("does not affect the response of another run", async () => {
    const bot = await at.bot([endless("data: "), says("It is sunny.")]);
    const run = await bot.worked();
    expect((await bot.answer(run.id)).text).toBe("It is sunny.");
  });
});
