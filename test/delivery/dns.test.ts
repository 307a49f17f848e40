/** Resolution of names by a real name server that knows them, does not know them, or does not respond. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRanges } from "../../src/delivery/address.ts";
import { createResolveName, type ResolveNameSettings } from "../../src/delivery/dns.ts";
import { createPoster } from "../../src/delivery/post.ts";
import { type Knows, type NameServer, startNameServer } from "../support/name-server.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { eventually } from "../support/worker.ts";

let dns: NameServer;
let folder: string;

beforeEach(async () => {
  dns = await startNameServer();
  folder = mkdtempSync(join(tmpdir(), "botstead-dns-"));
});
afterEach(async () => {
  await dns.close();
  rmSync(folder, { recursive: true });
});

const asking = (settings: ResolveNameSettings = {}) =>
  createResolveName({ servers: dns.servers, hostsFile: join(folder, "none"), ...settings });

const addresses = async (name: string, settings: ResolveNameSettings = {}) =>
  (await asking(settings)(name)).map(({ address }) => address);

const many = (count: number) => Array.from({ length: count }, (_, index) => `8.8.8.${index}`);

describe("a name has", () => {
  test.each<[what: string, knows: Knows, found: string[]]>([
    [
      "all of its addresses, IPv4 first",
      ["2a00::1", "8.8.8.8", "2a00::2", "8.8.4.4"],
      ["8.8.8.8", "8.8.4.4", "2a00::1", "2a00::2"],
    ],
    ["those of IPv4, when it has no others", ["8.8.8.8"], ["8.8.8.8"]],
    ["those of IPv6, when it has no others", ["2a00::1"], ["2a00::1"]],
    ["none, when it does not exist", "NXDOMAIN", []],
    ["none, when its name server is broken", "SERVFAIL", []],
    ["none, when what comes is no answer", "noise", []],
    ["as many as 64", many(64), many(64)],
    ["none, when there are more than 64", many(65), []],
  ])("%s", async (_what, knows, found) => {
    dns.names.set("a.example", knows);
    expect(await addresses("a.example")).toEqual(found);
    expect(await addresses("A.Example.")).toEqual(found);
  });

  test("none, when no server has answered by the deadline", async () => {
    dns.names.set("a.example", "silence");
    expect(await addresses("a.example", { deadlineMs: 300 })).toEqual([]);
  });

  test("its addresses still when a packet was lost", async () => {
    dns.names.set("a.example", "silence");
    const found = addresses("a.example");
    await eventually(async () => dns.asked.length >= 2);
    dns.names.set("a.example", ["8.8.8.8"]);
    expect(await found).toEqual(["8.8.8.8"]);
  });
});

test("names without an answer do not delay a name with one", async () => {
  const ask = asking({ deadlineMs: 4_500 });
  const silent = Array.from({ length: 50 }, (_, index) => `silent-${index}.example`);
  for (const name of silent) dns.names.set(name, "silence");
  dns.names.set("a.example", ["8.8.8.8"]);
  let ended = 0;
  const waiting = silent.map((name) => ask(name).finally(() => (ended += 1)));
  expect(await ask("a.example")).toEqual([{ address: "8.8.8.8", family: 4 }]);
  expect(ended).toBe(0);
  expect((await Promise.all(waiting)).flat()).toEqual([]);
});

describe("the hosts file", () => {
  const hosts = (text: string): ResolveNameSettings => {
    writeFileSync(join(folder, "hosts"), text);
    return { hostsFile: join(folder, "hosts") };
  };

  test("comes before the name server, and is read again each time", async () => {
    dns.names.set("a.example", ["8.8.8.8"]);
    const settings = hosts(
      "# a.example\n10.0.0.1\tA.example b.example # a comment\n\n  fd00::1 c.example a.example\nnonsense a.example\n",
    );
    expect(await addresses("a.example", settings)).toEqual(["10.0.0.1", "fd00::1"]);
    expect(await addresses("b.example", settings)).toEqual(["10.0.0.1"]);
    expect(dns.asked).toEqual([]);
    expect(await addresses("a.example", hosts("10.0.0.1 b.example"))).toEqual(["8.8.8.8"]);
  });

  test("may define localhost; otherwise it is loopback, without a query", async () => {
    expect(await addresses("localhost", hosts("127.0.0.1 localhost"))).toEqual(["127.0.0.1"]);
    expect(await addresses("localhost")).toEqual(["127.0.0.1", "::1"]);
    expect(await addresses("api.localhost")).toEqual(["127.0.0.1", "::1"]);
    expect(dns.asked).toEqual([]);
  });
});

describe("a delivery to a name", () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver({ hosts: ["hook.example"] });
  });
  afterEach(() => receiver.close());

  const posting = (settings?: ResolveNameSettings) =>
    createPoster({ allowed: parseRanges("127.0.0.0/8"), extraCa: receiver.ca, resolveName: asking(settings) });
  const post = async (poster = posting()) => {
    const outcome = await poster.post({ url: `https://hook.example:${receiver.port}/`, headers: {}, body: "{}" });
    await poster.close();
    return outcome;
  };

  test("goes to where the name server says", async () => {
    dns.names.set("hook.example", ["127.0.0.1"]);
    expect(await post()).toMatchObject({ statusCode: 200, failure: null });
  });

  test.each<[how: string, knows: string[]]>([
    ["is private", ["10.0.0.1"]],
    ["is private among others that are not, at the end", ["127.0.0.1", "8.8.8.8", "10.0.0.1"]],
    ["is private among others that are not, at the beginning", ["10.0.0.1", "127.0.0.1"]],
    ["is private in the other family", ["127.0.0.1", "fd00::1"]],
    ["is a private one, mapped", ["127.0.0.1", "::ffff:10.0.0.1"]],
    ["is a private one, translated by NAT64", ["127.0.0.1", "64:ff9b::a00:1"]],
    ["is a private one in 6to4", ["127.0.0.1", "2002:a00:1::1"]],
    ["is a cloud's metadata service", ["169.254.169.254"]],
  ])("fails as address when one of its addresses %s", async (_how, knows) => {
    dns.names.set("hook.example", knows);
    expect(await post()).toMatchObject({ statusCode: null, failure: "address" });
    expect(receiver.received).toHaveLength(0);
  });

  test("that turns private between check and connection is not asked again, and fails at the next attempt", async () => {
    dns.names.set("hook.example", ["127.0.0.1"]);
    const poster = posting();
    const first = poster.post({ url: `https://hook.example:${receiver.port}/`, headers: {}, body: "{}" });
    while (dns.asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
    dns.names.set("hook.example", ["10.0.0.1"]);
    expect(await first).toMatchObject({ statusCode: 200, failure: null });
    expect(dns.asked).toEqual(["A hook.example", "AAAA hook.example"]);
    expect(await post(poster)).toMatchObject({ statusCode: null, failure: "address" });
    expect(receiver.received).toHaveLength(1);
  });

  test.each<Knows>(["silence", "noise", "SERVFAIL", "NXDOMAIN", []])("fails as dns upon %p", async (knows) => {
    dns.names.set("hook.example", knows);
    const outcome = await post(posting({ deadlineMs: 300 }));
    expect(outcome).toMatchObject({ statusCode: null, failure: "dns" });
  });
});
