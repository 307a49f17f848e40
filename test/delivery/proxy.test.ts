/** Deliveries through a forward proxy: its requests, its faults, and that our checks come first. */
import type { LookupAddress } from "node:dns";
import type { Socket } from "node:net";
import { type Certificate, issueCertificate, makeAuthority } from "../../examples/tour/certificates.ts";
import { parseRanges } from "../../src/delivery/address.ts";
import { createResolveName } from "../../src/delivery/dns.ts";
import { createPoster, type Poster, type PosterSettings } from "../../src/delivery/post.ts";
import { parseProxy } from "../../src/delivery/proxy.ts";
import { type ProxySettings, startForwardProxy, type TestProxy } from "../support/forward-proxy.ts";
import { opening } from "../support/opened.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { eventually } from "../support/worker.ts";

const loopback = parseRanges("127.0.0.0/8, ::1/128");
let authority: Certificate;
let receiver: Receiver;
let failures: (string | number)[];

beforeEach(async () => {
  failures = [];
  authority = await makeAuthority();
  receiver = opening(await startReceiver({ authority, hosts: ["hook.example", "localhost"] }));
});
const proxying = async (settings: ProxySettings = {}): Promise<TestProxy> => opening(await startForwardProxy(settings));

const at = (...addresses: string[]) => {
  const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }));
  return async () => found;
};

/** A poster with this proxy. hook.example resolves to 127.0.0.1 by default. */
function posting(proxy: string, settings: Partial<PosterSettings> = {}): Poster {
  const onProxyFailure = (reason: string | number) => void failures.push(reason);
  return opening(
    createPoster({
      allowed: loopback,
      extraCa: receiver.ca,
      resolveName: at("127.0.0.1"),
      proxy: parseProxy(proxy),
      onProxyFailure,
      ...settings,
    }),
  );
}

const post = (poster: Poster, host = "hook.example") =>
  poster.post({ url: `https://${host}:${receiver.port}/a?b=c`, headers: {}, body: "{}" });

test("post requests a tunnel to the checked address, and TLS uses the receiver's name", async () => {
  const proxy = await proxying();
  expect(await post(posting(proxy.url))).toMatchObject({ statusCode: 200, failure: null });
  expect(proxy.targets).toEqual([`127.0.0.1:${receiver.port}`]);
  expect(receiver.received[0]).toMatchObject({ path: "/a?b=c", headers: { host: `hook.example:${receiver.port}` } });
  expect(failures).toEqual([]);
});

test("post reuses a tunnel", async () => {
  const proxy = await proxying();
  const poster = posting(proxy.url, { resolveName: createResolveName() });
  expect(await post(poster, "localhost")).toMatchObject({ statusCode: 200, failure: null });
  await new Promise(setImmediate); // the connection is free one turn after the response was read
  expect(await post(poster, "localhost")).toMatchObject({ statusCode: 200, failure: null });
  expect(proxy.targets).toHaveLength(1);
});

test("post connects only to the proxy", async () => {
  const proxy = await proxying();
  const poster = posting(proxy.url);
  await proxy.close();
  expect(await post(poster)).toMatchObject({ statusCode: null, failure: "transport" });
  expect(receiver.received).toHaveLength(0);
  expect(failures).toEqual(["ECONNREFUSED"]);
});

test("post requests no tunnel to a refused address", async () => {
  const proxy = await proxying();
  for (const [host, address] of [
    ["hook.example", "10.0.0.1"],
    ["10.0.0.1", ""],
    ["[::ffff:10.0.0.1]", ""],
    ["169.254.169.254", ""],
  ] as const) {
    expect(await post(posting(proxy.url, { resolveName: at(address) }), host)).toMatchObject({ failure: "address" });
  }
  expect(await post(posting(proxy.url, { allowed: [] }), "127.0.0.1")).toMatchObject({ failure: "address" });
  expect(proxy.targets).toEqual([]);
});

test("post tries the addresses in order, IPv6 in brackets, until the proxy reaches one", async () => {
  const proxy = await proxying({
    instead: (target, socket) => target.startsWith("[2a00::1]") && Boolean(socket.end("HTTP/1.1 503 No Route\r\n\r\n")),
  });
  expect(await post(posting(proxy.url, { resolveName: at("2a00::1", "127.0.0.1") }))).toMatchObject({
    statusCode: 200,
  });
  expect(proxy.targets).toEqual([`[2a00::1]:${receiver.port}`, `127.0.0.1:${receiver.port}`]);
  expect(failures).toEqual([]);
});

test("post reports an unreachable receiver as transport, without a proxy failure", async () => {
  const proxy = await proxying();
  await receiver.close();
  expect(await post(posting(proxy.url))).toMatchObject({ statusCode: null, failure: "transport" });
  expect(proxy.targets).toHaveLength(1);
  expect(failures).toEqual([]);
});

test("post to an address literal requests it unchanged and needs a certificate for it", async () => {
  const proxy = await proxying();
  expect(await post(posting(proxy.url), "127.0.0.1")).toMatchObject({ statusCode: null, failure: "transport" });
  expect(proxy.targets).toEqual([`127.0.0.1:${receiver.port}`]);
});

test("post verifies authority and name of the receiver's certificate through the tunnel", async () => {
  const proxy = await proxying();
  expect(await post(posting(proxy.url, { extraCa: undefined }))).toMatchObject({ failure: "transport" });
  expect(await post(posting(proxy.url), "other.example")).toMatchObject({ failure: "transport" });
  expect(receiver.received).toHaveLength(0);
  expect(proxy.targets).toHaveLength(2);
});

describe("a proxy with credentials", () => {
  const credentials = "bots:p@ss:wörd";
  const withCredentials = (url: string, text: string) => url.replace("://", `://${text}@`);

  test("gets them, and the receiver does not", async () => {
    const proxy = await proxying({ credentials });
    const poster = posting(withCredentials(proxy.url, "bots:p%40ss%3Aw%C3%B6rd"));
    expect(await post(poster)).toMatchObject({ statusCode: 200, failure: null });
    expect(receiver.received[0]?.headers).not.toHaveProperty("proxy-authorization");
  });

  test.each(["", "bots", "bots:wrong"])("refuses %p", async (text) => {
    const proxy = await proxying({ credentials });
    const poster = posting(text ? withCredentials(proxy.url, text) : proxy.url);
    expect(await post(poster)).toMatchObject({ statusCode: null, failure: "transport" });
    expect(failures).toEqual([407]);
    expect(receiver.received).toHaveLength(0);
  });
});

describe("an attempt ends and leaves no connection behind if the proxy", () => {
  const says = (text: string) => (_target: string, socket: Socket) => Boolean(socket.write(text)) || true;
  test.each<[how: string, instead: ProxySettings["instead"], failure: string]>([
    ["refuses", says("HTTP/1.1 403 Forbidden\r\n\r\n"), "transport"],
    ["redirects", says("HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1/\r\n\r\n"), "transport"],
    ["does not speak HTTP", says("SSH-2.0-OpenSSH_9.9\r\n"), "transport"],
    [
      "sends more than its response before the receiver",
      says("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"),
      "transport",
    ],
    ["sends 100 KB of headers", says(`HTTP/1.1 200 OK\r\nx-much: ${"a".repeat(100_000)}\r\n\r\n`), "transport"],
    ["disconnects", (_target, socket) => Boolean(socket.destroy()), "transport"],
    ["sends nothing", () => true, "timeout"],
    ["sends only its status line", says("HTTP/1.1 200 OK\r\n"), "timeout"],
    ["opens a tunnel to nowhere", says("HTTP/1.1 200 OK\r\n\r\n"), "timeout"],
  ])("%s", async (_how, instead, failure) => {
    const proxy = await proxying(instead ? { instead } : {});
    const outcome = await post(posting(proxy.url, { timeoutMs: failure === "timeout" ? 300 : 60_000 }));
    expect(outcome).toMatchObject({ statusCode: null, failure });
    expect(outcome.durationMs).toBeLessThan(10_000);
    await eventually(async () => proxy.sockets.size === 0);
    expect(receiver.received).toHaveLength(0);
  });

  test("hangs at each of many addresses; the rest are not requested", async () => {
    const proxy = await proxying({ instead: () => true });
    const poster = posting(proxy.url, { timeoutMs: 300, resolveName: at("2a00::1", "2a00::2", "127.0.0.1") });
    expect(await post(poster)).toMatchObject({ failure: "timeout" });
    await eventually(async () => failures.length === 1);
    expect(failures).toEqual(["ETIMEDOUT"]);
    expect(proxy.targets).toEqual([`[2a00::1]:${receiver.port}`]);
  });

  test("hangs while the worker stops", async () => {
    const proxy = await proxying({ instead: () => true });
    const poster = posting(proxy.url, { timeoutMs: 200 });
    expect(await post(poster)).toMatchObject({ failure: "timeout" });
    await poster.close();
    await eventually(async () => proxy.sockets.size === 0);
  });
});

describe("a proxy with an https URL", () => {
  test("carries the receiver's TLS in its own", async () => {
    const proxy = await proxying({ certificate: await issueCertificate(authority, ["localhost"]) });
    const poster = posting(proxy.url);
    expect(await post(poster)).toMatchObject({ statusCode: 200, failure: null });
    expect(proxy.targets).toEqual([`127.0.0.1:${receiver.port}`]);
    await poster.close();
    await eventually(async () => proxy.sockets.size === 0);
  });

  test.each([
    ["for another name", "elsewhere.example", () => authority],
    ["from another authority", "localhost", makeAuthority],
  ] as const)("is not used when its certificate is %s", async (_what, host, signer) => {
    const proxy = await proxying({ certificate: await issueCertificate(await signer(), [host]) });
    expect(await post(posting(proxy.url))).toMatchObject({ statusCode: null, failure: "transport" });
    expect(proxy.targets).toEqual([]);
  });
});

describe("WEBHOOK_PROXY", () => {
  test("is parsed into address and credentials", () => {
    const { url, authorization } = parseProxy("http://user:p%40ss@proxy.internal:3128");
    expect(url.href).toBe("http://proxy.internal:3128/");
    expect(authorization).toBe(`Basic ${Buffer.from("user:p@ss").toString("base64")}`);
    expect(parseProxy("https://proxy.internal").authorization).toBeUndefined();
  });

  test.each([
    "proxy.internal:3128",
    "socks5://user:secret@proxy:1080",
    "http://user:secret@proxy/path",
    "http://user:secret@proxy/?a=b",
    "http://user:%E0%A4secret@proxy",
    "http://",
  ])("refuses %p without quoting it in the error", (text) => {
    expect(() => parseProxy(text)).toThrow(/^must be the address of a proxy, such as http:\/\/user:password@/);
  });
});
