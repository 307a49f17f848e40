/**
 * Request smuggling: requests with a hidden second request, in every known form of disagreement about the end of a
 * request. Each gets an error envelope and ends the connection, or is answered as declared. The hidden request never
 * runs: the oracle compares the bots in the database.
 */
import { randomUUID } from "node:crypto";
import { expectRefusal } from "../support/answers.ts";
import { reportCounts } from "../support/reliability.ts";
import { type HostileCaller, openTarget, type Target } from "./target.ts";
import { type Heard, last, speak } from "./wire.ts";

let target: Target;
let caller: HostileCaller;
beforeAll(async () => {
  target = await openTarget();
  caller = await target.caller();
});
afterAll(() => target.close());

const body = '{"name":"Ada"}';
const chunks = `e\r\n${body}\r\n0\r\n\r\n`;

/** A complete request that creates a bot. @param headers framing headers of the body, each with its line end */
function post(
  headers: string,
  sent: string,
  { line = "POST /api/v1/bots HTTP/1.1", host = "host: a\r\n" } = {},
): string {
  const usual = `${host}${caller.authorization}content-type: application/json\r\nidempotency-key: ${randomUUID()}\r\n`;
  return `${line}\r\n${usual}${headers}\r\n${sent}`;
}

/** Takes the place of a second request and must not run. */
const hidden = (): string => post("content-length: 19\r\n", '{"name":"Smuggled"}');

type Form = [name: string, bytes: (next: string) => string];

const withBoth =
  (headers: string): ((next: string) => string) =>
  (next) =>
    post(headers, `0\r\n\r\n${next}`);
const chunked =
  (coding: string): ((next: string) => string) =>
  (next) =>
    post(`${coding}\r\n`, chunks + next);
const lengthOf =
  (length: string): ((next: string) => string) =>
  (next) =>
    post(`content-length: ${length}\r\n`, body + next);
const chunksOf =
  (sent: string): ((next: string) => string) =>
  (next) =>
    post("transfer-encoding: chunked\r\n", sent + next);
const header =
  (lines: string): ((next: string) => string) =>
  (next) =>
    post(`${lines}content-length: 14\r\n`, body + next);

/** Refused before any effect. */
const refused: Form[] = [
  ["a length before chunks", withBoth("content-length: 5\r\ntransfer-encoding: chunked\r\n")],
  ["a length behind chunks", withBoth("transfer-encoding: chunked\r\ncontent-length: 5\r\n")],
  ...[
    "transfer-encoding: xchunked",
    "transfer-encoding: chunked, identity",
    "transfer-encoding: identity, chunked",
    "transfer-encoding: gzip, chunked",
    "transfer-encoding: identity",
    "transfer-encoding: ",
    'transfer-encoding: "chunked"',
    "transfer-encoding: chunked;q=1",
    "transfer-encoding: chunked\r\ntransfer-encoding: chunked",
    "transfer-encoding: chunked\r\ntransfer-encoding: identity",
    "transfer-encoding: identity\r\ntransfer-encoding: chunked",
    "transfer-encoding : chunked",
    "transfer-encoding:\x0bchunked",
    "transfer-encoding:\r\n chunked",
    "transfer_encoding: chunked\r\ncontent-length: x",
  ].map((coding): Form => [JSON.stringify(coding), chunked(coding)]),
  ...[
    ...["14\r\ncontent-length: 14", "14\r\ncontent-length: 15", "14, 14", "14,15", "-14", "+14", "0xe", "1 4", "14.0"],
    ...["1e1", "", "١٤", "99999999999999999999999", "14\0"],
  ].map((length): Form => [`a length of ${JSON.stringify(length)}`, lengthOf(length)]),
  ["lines that end in LF alone", (next) => post("content-length: 14\r\n", body).replaceAll("\r\n", "\n") + next],
  ["one line that ends in LF alone", header("x: a\n")],
  ["a CR in a value", header("x: a\rb: c\r\n")],
  ["a NUL in a value", header("x: a\0b\r\n")],
  ["a value folded onto the next line", header("x: a\r\n b\r\n")],
  [
    "a first header that is folded",
    (next) => post("content-length: 14\r\n", body + next, { host: " x: a\r\nhost: a\r\n" }),
  ],
  ["a space before the colon", header("x : a\r\n")],
  ["a header without a name", header(": a\r\n")],
  ["a header without a colon", header("nonsense\r\n")],
  ["a name that is no token", header("x[]: a\r\n")],
  ["a chunk's size in LF alone", chunksOf(`e\n${body}\r\n0\r\n\r\n`)],
  ["a chunk's extension with a LF", chunksOf(`e;a\nb\r\n${body}\r\n0\r\n\r\n`)],
  ["a chunk's size with 0x", chunksOf(`0xe\r\n${body}\r\n0\r\n\r\n`)],
  ["a chunk's size below 0", chunksOf(`-e\r\n${body}\r\n0\r\n\r\n`)],
  ["a chunk's size with a space", chunksOf(`e \r\n${body}\r\n0\r\n\r\n`)],
  ["a chunk's size beyond 64 bits", chunksOf(`fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`)],
  ["a chunk without a size", chunksOf(`\r\n${body}\r\n0\r\n\r\n`)],
  ["a chunk that is longer than it says", chunksOf(`d\r\n${body}\r\n0\r\n\r\n`)],
  ["a chunk that no line ends", chunksOf(`e\r\n${body}0\r\n\r\n`)],
  ["a chunk's extension of 20 KB", chunksOf(`e;${"a".repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`)],
  ["a length among the trailers", chunksOf(`e\r\n${body}\r\n0\r\ncontent-length: 0\r\n\r\n`)],
  ["trailers of 20 KB", chunksOf(`e\r\n${body}\r\n0\r\nx: ${"a".repeat(20_000)}\r\n\r\n`)],
  ["two hosts", header("host: b\r\n")],
  ["a host that is none", (next) => post("content-length: 14\r\n", body + next, { host: "host: a/b c\r\n" })],
  ["no host", (next) => post("content-length: 14\r\n", body + next, { host: "" })],
  ["two credentials", header("authorization: Bearer x\r\n")],
  ["two types", header("content-type: text/plain\r\n")],
  ["two Idempotency-Keys", header("idempotency-key: x\r\n")],
  [
    "chunks in HTTP/1.0",
    (next) => post("transfer-encoding: chunked\r\n", chunks + next, { line: "POST /api/v1/bots HTTP/1.0" }),
  ],
  ...[
    ...["POST /api/v1/bots", "POST /api/v1/bots HTTP/0.9", "POST /api/v1/bots HTTP/1.2", "POST /api/v1/bots HTTP/2.0"],
    ...["POST /api/v1/bots http/1.1", "POST /api/v1/bots HTTP/1.10", "POST /api/v1/bots x HTTP/1.1"],
    ...["POST\t/api/v1/bots\tHTTP/1.1", "POST /api/v1/bots\0 HTTP/1.1", "POST /api/v1/bots#x HTTP/1.1"],
    ...[
      "POST api/v1/bots HTTP/1.1",
      "POST a:80 HTTP/1.1",
      "POST http:///api/v1/bots HTTP/1.1",
      "POST ftp://a/x HTTP/1.1",
    ],
    ...["post /api/v1/bots HTTP/1.1", "P\0ST /api/v1/bots HTTP/1.1", "PRI * HTTP/2.0"],
  ].map((line): Form => [JSON.stringify(line), (next) => post("content-length: 14\r\n", body + next, { line })]),
  ["the preface of HTTP/2", (next) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0${next}`],
  ["TLS", (next) => `\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${next}`],
];

/** Unusual but unambiguous: executed once, as the first request says. The connection continues. */
const answered: Form[] = [
  ["a chunk with an extension", chunksOf(`e;a=b;c="d"\r\n${body}\r\n0\r\n\r\n`)],
  ["chunks of one byte", chunksOf(`${[...body].map((one) => `1\r\n${one}\r\n`).join("")}0\r\n\r\n`)],
  ["trailers, which count for nothing", chunksOf(`e\r\n${body}\r\n0\r\nauthorization: Bearer x\r\nx: y\r\n\r\n`)],
  ["chunks by another case", chunked("Transfer-Encoding: CHUNKED")],
  ["a tab before a value", chunked("transfer-encoding:\tchunked")],
  ["a length with spaces around and zeros before it", lengthOf("  0014  ")],
  ["empty lines before it", (next) => `\r\n\r\n${post("content-length: 14\r\n", body)}${next}`],
  [
    "scheme and host in the target",
    (next) => post("content-length: 14\r\n", body + next, { line: "POST http://b/api/v1/bots HTTP/1.1" }),
  ],
  ["an empty host", (next) => post("content-length: 14\r\n", body + next, { host: "host:\r\n" })],
];

async function hear(bytes: string): Promise<Heard> {
  return speak(target.port, Buffer.from(bytes, "latin1"));
}

test("ambiguous requests get one error envelope and end the connection", async () => {
  const before = (await caller.bots()).length;
  const faults: string[] = [];
  const heard = await Promise.all(refused.map(([, bytes]) => hear(bytes(hidden() + last))));
  for (const [at, { replies, closed, rest }] of heard.entries()) {
    try {
      expect({ answers: replies.length, closed, rest }).toEqual({ answers: 1, closed: true, rest: "" });
      const [reply] = replies;
      if (reply) expectRefusal(reply, "invalid_request");
      expect(reply?.headers.get("connection")).toBe("close");
    } catch (error) {
      faults.push(`${refused[at]?.[0]}: ${(error as Error).message}`);
    }
  }
  const made = (await caller.bots()).slice(before);
  reportCounts("requests hidden in ambiguous requests", {
    acknowledged: refused.length - faults.length,
    lost: 0,
    doubled: made.length,
    unexpected: faults.length,
  });
  expect(faults).toEqual([]);
  expect(made).toEqual([]);
});

test("unusual but unambiguous requests run once, and the next request gets its response", async () => {
  const before = (await caller.bots()).length;
  const faults: string[] = [];
  for (const [name, bytes] of answered) {
    const { replies, closed } = await hear(bytes(last));
    const statuses = replies.map(({ status }) => status);
    if (!closed || String(statuses) !== "201,200") faults.push(`${name}: ${statuses}, closed: ${closed}`);
  }
  const made = (await caller.bots()).slice(before);
  reportCounts("unusual but unambiguous requests", {
    acknowledged: answered.length - faults.length,
    lost: Math.max(answered.length - made.length, 0),
    doubled: Math.max(made.length - answered.length, 0),
    unexpected: faults.length,
  });
  expect(faults).toEqual([]);
  expect(made).toEqual(answered.map(() => "Ada"));
});

test("a request hidden in a body or behind a protocol upgrade does not run", async () => {
  const before = (await caller.bots()).length;
  const inside = hidden();
  const asBody = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nhost: a\r\n${caller.authorization}content-length: ${inside.length}\r\n\r\n${inside}`;
  const upgrading = (to: string) =>
    post(
      `connection: upgrade, http2-settings\r\nupgrade: ${to}\r\nhttp2-settings: AAMAAABk\r\ncontent-length: 14\r\n`,
      body,
    );
  const statusesOf = async (bytes: string) => (await hear(bytes)).replies.map(({ status }) => status);
  const heard = {
    get: await statusesOf(asBody("GET", "/api/v1/me") + last),
    unknown: await statusesOf(asBody("POST", "/api/v1/nothing") + last),
    page: await statusesOf(asBody("GET", "/docs/nothing") + last),
    connect: await statusesOf(`CONNECT a:443 HTTP/1.1\r\nhost: a:443\r\n\r\n${inside}`),
    closing: await statusesOf(
      `GET /api/v1/me HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${caller.authorization}\r\n${inside}`,
    ),
    websocket: await statusesOf(upgrading("websocket") + inside),
    h2c: await statusesOf(upgrading("h2c") + inside),
  };
  const expected: typeof heard = {
    get: [200, 200],
    unknown: [404, 200],
    page: [404, 200],
    connect: [404],
    closing: [200],
    websocket: [201],
    h2c: [201],
  };
  const names = Object.keys(heard) as (keyof typeof heard)[];
  const wrong = names.filter((name) => String(heard[name]) !== String(expected[name]));
  const made = (await caller.bots()).slice(before);
  reportCounts("requests hidden in bodies and behind upgrades", {
    acknowledged: names.length - wrong.length,
    lost: 0,
    doubled: made.filter((name) => name !== "Ada").length,
    unexpected: wrong.length + Number(made.length !== 2),
  });
  expect(heard).toEqual(expected);
  expect(made).toEqual(["Ada", "Ada"]);
});
