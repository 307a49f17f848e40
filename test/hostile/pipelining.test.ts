/**
 * Pipelining: many requests in one packet. Each gets its response in order, as if it were alone, and no request runs
 * without a response.
 */
import { randomUUID } from "node:crypto";
import { expectRefusal } from "../support/answers.ts";
import { scrape } from "../support/metrics.ts";
import { reportCounts } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { targetOfFile } from "./target.ts";
import { last, open, speak } from "./wire.ts";

const at = targetOfFile();

const get = (path: string) => `GET /api/v1${path} HTTP/1.1\r\nhost: a\r\n${at.caller.authorization}\r\n`;

function post(
  name: string,
  { key = randomUUID() as string, body = JSON.stringify({ name }), frame = "" } = {},
): string {
  const frames = frame || `content-length: ${Buffer.byteLength(body)}\r\n`;
  const headers = `host: a\r\n${at.caller.authorization}content-type: application/json\r\nidempotency-key: ${key}\r\n`;
  return `POST /api/v1/bots HTTP/1.1\r\n${headers}${frames}\r\n${body}`;
}

test("sixty pipelined requests, valid and invalid, get their own responses in order", async () => {
  type Case = [bytes: string, status: number, said: RegExp];
  const cases = Array.from({ length: 12 }, (_, round): Case[] => [
    [post(`Bot ${round}`), 201, new RegExp(`"name":"Bot ${round}"`)],
    [get("/me"), 200, new RegExp(at.caller.organisationId)],
    [post("", { body: '{"name":""}' }), 400, /body\.name/],
    [get(`/nothing/${round}`), 404, /not_found/],
    [get(`/bots?limit=${round + 300}`), 400, /query\.limit/],
  ]).flat();
  const { replies, closed } = await speak(at.target.port, cases.map(([bytes]) => bytes).join("") + last);
  const wrong = cases.filter(([, status, said], at) => replies[at]?.status !== status || !said.test(replies[at].text));
  const made = await at.caller.bots();
  const names = Array.from({ length: 12 }, (_, round) => `Bot ${round}`);
  reportCounts("requests in one packet", {
    acknowledged: cases.length - wrong.length,
    lost: names.filter((name) => !made.includes(name)).length,
    doubled: made.length - new Set(made).size,
    unexpected: wrong.length + Number(replies.length !== cases.length + 1) + Number(!closed),
  });
  expect(wrong).toEqual([]);
  expect(replies).toHaveLength(cases.length + 1);
  expect(new Set(replies.map(({ headers }) => headers.get("x-request-id"))).size).toBe(replies.length);
  expect(made.toSorted()).toEqual(names.toSorted());
});

test("pipelined requests run in sequence: POSTs under one Idempotency-Key run once, and later reads see the effect", async () => {
  const key = randomUUID();
  const same = post("Once", { key });
  const { replies } = await speak(at.target.port, same.repeat(20) + get("/bots") + last);
  const made = await at.caller.bots();
  const posted = replies.slice(0, 20);
  const replayed = posted.slice(1).filter(({ headers }) => headers.get("idempotent-replayed") === "true");
  const bodies = new Set(posted.map(({ status, text }) => `${status} ${text}`));
  const seen = replies[20]?.body.data.map(({ name }: { name: string }) => name);
  reportCounts("POSTs under one Idempotency-Key in one packet", {
    acknowledged: posted.filter(({ status }) => status === 201).length,
    lost: Number(made.length === 0),
    doubled: Math.max(made.length - 1, 0),
    unexpected: bodies.size - 1 + 19 - replayed.length,
  });
  expect(made).toEqual(["Once"]);
  expect([...bodies]).toEqual([expect.stringMatching(/^201 .*"name":"Once"/)]);
  expect(replayed).toHaveLength(19);
  expect(seen).toEqual(["Once"]);
});

test("the server stops starting pipelined requests when the client does not read responses", async () => {
  const begun = async () => {
    const metrics = await scrape(`http://127.0.0.1:${at.target.metricsPort}/metrics`);
    const ended = metrics.value("botstead_http_requests_total", { route: "/api/v1/openapi.json" }) ?? 0;
    return ended + (metrics.value("botstead_http_requests_in_flight") ?? 0);
  };
  const document = "GET /api/v1/openapi.json HTTP/1.1\r\nhost: a\r\n\r\n";
  const before = await begun();
  const { replies } = await speak(at.target.port, document.repeat(10) + last); // the reader gets all of it
  const read = await begun();
  const sockets = await Promise.all(Array.from({ length: 5 }, () => open(at.target.port)));
  for (const socket of sockets) socket.pause().write(document.repeat(50) + post("Behind") + last);
  await eventually(async () => (await begun()) > read);
  await speak(at.target.port, get("/me") + last); // everything before it was executed
  const unread = await begun();
  for (const socket of sockets) socket.resetAndDestroy();
  const made = await at.caller.bots();
  reportCounts("requests in one packet, responses unread", {
    acknowledged: replies.length,
    lost: 11 - replies.length,
    doubled: made.length,
    unexpected: Number(read - before !== 10),
    note: `${unread - read} of ${sockets.length * 50} begun`,
  });
  expect(replies).toHaveLength(11);
  expect(read - before).toBe(10);
  expect(unread - read).toBeLessThan(sockets.length * 25);
  expect(made).toEqual([]);
});

test("a refusal that ends the connection comes in order: earlier requests run, later requests do not", async () => {
  const broken: [name: string, bytes: string][] = [
    ["no request", "nonsense\r\n\r\n"],
    ["two lengths", post("Broken", { frame: "content-length: 5\r\ncontent-length: 17\r\n" })],
    ["two hosts", get("/me").replace("host: a", "host: a\r\nhost: b")],
    ["garbage in chunks", post("", { body: "5\r\n{x", frame: "transfer-encoding: chunked\r\n" })],
    ["a body beyond 1 MB", post("", { body: '{"name":', frame: "content-length: 9999999\r\n" })],
    ["headers beyond 16 KB", get("/me").replace("host: a", `host: a\r\nx: ${"x".repeat(17_000)}`)],
  ];
  const faults: string[] = [];
  const metrics: string[] = [];
  for (const [name, bytes] of broken) {
    const before = [`${name} 1`, `${name} 2`];
    metrics.push(...before);
    const sent = before.map((each) => post(each)).join("") + get("/me") + bytes + post("Smuggled") + last;
    const { replies, closed } = await speak(at.target.port, sent);
    const statuses = replies.map(({ status }) => status);
    const end = name === "a body beyond 1 MB" ? 413 : 400;
    if (!closed || String(statuses) !== `201,201,200,${end}`) faults.push(`${name}: ${statuses}, closed: ${closed}`);
    const refused = replies[3];
    if (refused) expectRefusal(refused, end === 413 ? "payload_too_large" : "invalid_request");
    if (refused?.headers.get("connection") !== "close") faults.push(`${name}: the connection should have stayed open`);
  }
  const made = await at.caller.bots();
  reportCounts("refusals among the requests of one packet", {
    acknowledged: metrics.length,
    lost: metrics.filter((name) => !made.includes(name)).length,
    doubled: made.filter((name) => name === "Smuggled").length,
    unexpected: faults.length,
  });
  expect(faults).toEqual([]);
  expect(made.toSorted()).toEqual(metrics.toSorted());
});

test("a request that arrives after a connection-ending refusal does not run, even if it arrives late", async () => {
  const ends = [get("/me").replace("host: a", "host: a\r\nhost: b"), last];
  const sockets = await Promise.all(Array.from({ length: 40 }, () => open(at.target.port)));
  const gone = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  for (const [nth, socket] of sockets.entries()) {
    const late = () => socket.write(post(`Late ${nth}`));
    if (nth % 4 < 2) socket.once("data", late);
    socket.write(ends[nth % 2] ?? "");
    if (nth % 4 === 2) setImmediate(late);
    if (nth % 4 === 3) setTimeout(late, nth / 8);
    socket.on("end", () => socket.end()).resume();
  }
  await Promise.all(gone);
  const made = await at.caller.bots();
  reportCounts("requests after the last response of a connection", {
    acknowledged: 0,
    lost: 0,
    doubled: made.length,
    unexpected: 0,
  });
  expect(made).toEqual([]);
});

test("a connection serves 100 pipelined requests; the last response announces the end, and no further request runs", async () => {
  const { replies, closed } = await speak(
    at.target.port,
    get("/me").repeat(99) + post("Hundredth") + post("Beyond") + last,
  );
  const made = await at.caller.bots();
  reportCounts("more than 100 pipelined requests", {
    acknowledged: replies.length,
    lost: Number(!made.includes("Hundredth")),
    doubled: Number(made.includes("Beyond")),
    unexpected: Number(!closed),
  });
  expect({ answers: replies.length, closed }).toEqual({ answers: 100, closed: true });
  expect(replies.map(({ headers }) => headers.get("connection"))).toEqual([...Array(99).fill("keep-alive"), "close"]);
  expect(made).toEqual(["Hundredth"]);
});

test("a client that disconnects before its responses leaves no connection, request or buffer behind", async () => {
  const { replies } = await speak(at.target.port, post("Ada"), { replies: 1 });
  const body = JSON.stringify({ botId: replies[0]?.body.id, message: "Hello" });
  const start = post("", { body }).replace("/bots", "/runs");
  const run = (await speak(at.target.port, start, { replies: 1 })).replies[0]?.body.id;
  const streams = get(`/runs/${run}/events`).repeat(5);
  const page = "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n";
  const openRequests = async () => {
    const metrics = await scrape(`http://127.0.0.1:${at.target.metricsPort}/metrics`);
    return ["botstead_open_requests", "botstead_http_requests_in_flight", "botstead_backlog_bytes"].map((name) =>
      metrics.value(name),
    );
  };
  const sockets = await Promise.all(Array.from({ length: 5 }, () => open(at.target.port)));
  for (const socket of sockets) socket.write(streams + page.repeat(5));
  await eventually(async () => (await openRequests())[0] === sockets.length);
  const during = await openRequests();
  for (const socket of sockets) socket.resetAndDestroy();
  await eventually(async () => (await openRequests()).every((count) => count === 0)).catch(() => {});
  const after = await openRequests();
  reportCounts("client disconnected before its responses", {
    acknowledged: after.filter((count) => count === 0).length,
    lost: 0,
    doubled: 0,
    unexpected: after.reduce<number>((sum, count) => sum + (count ?? 1), 0),
  });
  expect(during[2]).toBeGreaterThan(0);
  expect(after).toEqual([0, 0, 0]);
});

test("a request sent byte by byte runs once; a truncated request does not run and can be repeated", async () => {
  const key = randomUUID();
  const bytes = post("Ada", { key });
  const socket = await open(at.target.port);
  const heard = new Promise<string>((resolve) => socket.once("data", (part) => resolve(String(part))));
  for (const byte of bytes) {
    socket.setNoDelay(true);
    await new Promise((resolve) => socket.write(byte, resolve));
  }
  const whole = (await heard).slice(9, 12);
  socket.destroy();

  const cutKey = randomUUID();
  const cut = post("Grace", { key: cutKey });
  for (const length of [1, 20, cut.length - 17, cut.length - 5, cut.length - 1]) {
    const half = await open(at.target.port);
    await new Promise((resolve) => half.write(cut.slice(0, length), resolve));
    half.resetAndDestroy();
  }
  const { replies } = await speak(at.target.port, cut, { replies: 1 });
  const made = await at.caller.bots();
  reportCounts("requests sent byte by byte, and truncated requests", {
    acknowledged: Number(whole === "201") + Number(replies[0]?.status === 201),
    lost: ["Ada", "Grace"].filter((name) => !made.includes(name)).length,
    doubled: Math.max(made.length - 2, 0),
    unexpected: Number(whole !== "201") + Number(replies[0]?.status !== 201),
  });
  expect(whole).toBe("201");
  expect(replies[0]?.text).toMatch(/"name":"Grace"/); // no idempotency_mismatch: the partial request was not stored
  expect(made).toEqual(["Ada", "Grace"]);
});
