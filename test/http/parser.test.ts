/** Requests that Node's parser refuses, over raw TCP. (docs/specification/conventions.md#errors) */
import { connect } from "node:net";
import { expectRefusal } from "../support/answers.ts";
import type { Reply } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();

/** Sends the bytes unchanged, and reads until the connection ends. */
function speak(...parts: (string | Buffer)[]): Promise<string> {
  const { port } = new URL(here.api.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      for (const part of parts) socket.write(part);
    });
    let heard = "";
    socket.setTimeout(10_000, () => socket.destroy(new Error(`No end after: ${heard}`)));
    socket.on("data", (data) => {
      heard += data;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(heard));
  });
}

function asReply(heard: string): Reply {
  const [head = "", text = ""] = heard.split("\r\n\r\n", 2);
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  expect(headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
  return { status: Number(first.split(" ")[1]), headers, text, body: JSON.parse(text || "{}") };
}

const close = "connection: close\r\n";

test.each([
  ["garbage", "\x16\x03\x01 not HTTP at all\r\n\r\n", "request"],
  ["an unknown method", "FROB /api/v1/me HTTP/1.1\r\nhost: a\r\n\r\n", "request"],
  ["an unknown version", "GET /api/v1/me HTTP/7.3\r\nhost: a\r\n\r\n", "request"],
  ["a header without a colon", "GET /api/v1/me HTTP/1.1\r\nhost: a\r\nnonsense\r\n\r\n", "request"],
  ["a header with a NUL", "GET /api/v1/me HTTP/1.1\r\nhost: a\r\nx: a\0b\r\n\r\n", "request"],
  ["a length that is no number", "POST /api/v1/bots HTTP/1.1\r\nhost: a\r\ncontent-length: ten\r\n\r\n", "request"],
  [
    "two lengths",
    "POST /api/v1/bots HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
    "request",
  ],
  [
    "a length and chunks",
    "POST /api/v1/bots HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "request",
  ],
  ["headers beyond 16 KB", `GET /api/v1/me HTTP/1.1\r\nhost: a\r\nx: ${"a".repeat(20_000)}\r\n\r\n`, "headers"],
  ["an address beyond 16 KB", `GET /api/v1/me?x=${"a".repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, "headers"],
  ["no host", `GET /api/v1/me HTTP/1.1\r\n${close}\r\n`, "headers.host"],
])("%s returns the error envelope, and the connection ends", async (_story, bytes, path) => {
  const heard = await speak(bytes);
  expectRefusal(asReply(heard), "invalid_request", [path]);
  expect(heard.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(asReply(heard).headers.get("connection")).toBe("close");
});

test("Invalid chunks after valid ones return one error envelope", async () => {
  const ada = await here.owner();
  const head = `POST /api/v1/bots HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${ada.key.text}\r\nidempotency-key: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
  const heard = await speak(head, '7\r\n{"name"\r\nzz\r\n');
  expectRefusal(asReply(heard), "invalid_request");
  expect(heard.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect((await ada.get("/bots")).body.data).toEqual([]);
});

test("HTTP/1.0 needs no Host header", async () => {
  expectRefusal(asReply(await speak("GET /api/v1/me HTTP/1.0\r\n\r\n")), "unauthenticated");
});

test("`expect: 100-continue` is answered with 100, and another expectation is ignored", async () => {
  const ada = await here.owner();
  const post = (expect: string, key: string) =>
    `POST /api/v1/bots HTTP/1.1\r\nhost: a\r\n${close}authorization: Bearer ${ada.key.text}\r\nidempotency-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 14\r\nexpect: ${expect}\r\n\r\n`;
  const promised = await speak(post("100-continue", "a"), '{"name":"Ada"}');
  expect(promised).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  const passedOver = await speak(post("a-miracle", "b"), '{"name":"Ada"}');
  expect(passedOver).toMatch(/^HTTP\/1\.1 201 /);
});

test("An upgrade request is answered as an ordinary request", async () => {
  const upgrade = "GET /api/v1/me HTTP/1.1\r\nhost: a\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n";
  expectRefusal(asReply(await speak(upgrade)), "unauthenticated");
});

test("Pipelined requests on one connection are answered in order", async () => {
  const ada = await here.owner();
  const get = (path: string, more = "") =>
    `GET /api/v1${path} HTTP/1.1\r\nhost: a\r\n${more}authorization: Bearer ${ada.key.text}\r\n\r\n`;
  const heard = await speak(get("/me") + get("/nothing") + get("/bots", close));
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 200"]);
});

test("Connections reset within a body do not affect the next request", async () => {
  const ada = await here.owner();
  const { port } = new URL(here.api.url);
  for (let each = 0; each < 20; each += 1) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => {
        socket.write(
          `POST /api/v1/bots HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${ada.key.text}\r\ncontent-length: 99\r\n\r\n{`,
        );
        socket.resetAndDestroy();
      });
      socket.on("close", () => resolve());
    });
  }
  expect((await ada.get("/bots")).body.data).toEqual([]);
});
