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

/** The other family has as much time as it needs on a busy machine. */
const asking = (settings: ResolveNameSettings = {}) =>
  createResolveName({ servers: dns.servers, hostsFile: join(folder, "none"), otherFamilyMs: 5_000, ...settings });

const addresses = async (name: string, settings: ResolveNameSettings = {}) =>
  (await asking(settings)(name)).map(({ address }) => address);

const many = (count: number) => Array.from({ length: count }, (_, index) => `8.8.8.${index}`);

describe("resolveName returns", () => {
  test.each<[what: string, knows: Knows, found: string[]]>([
    [
      "all addresses of a name, IPv4 first",
      ["2a00::1", "8.8.8.8", "2a00::2", "8.8.4.4"],
      ["8.8.8.8", "8.8.4.4", "2a00::1", "2a00::2"],
    ],
    ["IPv4 addresses if there are no others", ["8.8.8.8"], ["8.8.8.8"]],
    ["IPv6 addresses if there are no others", ["2a00::1"], ["2a00::1"]],
    ["none for a name that does not exist", "NXDOMAIN", []],
    ["none for SERVFAIL", "SERVFAIL", []],
    ["none for a malformed response", "noise", []],
    ["64 addresses", many(64), many(64)],
    ["none for more than 64 addresses", many(65), []],
  ])("%s", async (_what, knows, found) => {
    dns.names.set("a.example", knows);
    expect(await addresses("a.example")).toEqual(found);
    expect(await addresses("A.Example.")).toEqual(found);
  });

  test("no address if no server answers before the deadline", async () => {
    dns.names.set("a.example", "silence");
    expect(await addresses("a.example", { deadlineMs: 300 })).toEqual([]);
  });

  test.each<[string, "A" | "AAAA", string]>([
    ["IPv4", "AAAA", "8.8.8.8"],
    ["IPv6", "A", "2a00::1"],
  ])("the addresses of %s soon, if the name server drops queries for %s", async (_family, drops, address) => {
    dns.names.set("a.example", { addresses: [address], drops });
    const startedAt = performance.now();
    const found = await addresses("a.example", { deadlineMs: 60_000, otherFamilyMs: 50 });
    expect(found).toEqual([address]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(49);
    expect(dns.queries.toSorted()).toEqual(["A a.example", "AAAA a.example"]);
  });

  test("the addresses of a family that answers after the other had none", async () => {
    dns.names.set("a.example", { addresses: [], drops: "AAAA" });
    const found = addresses("a.example", { otherFamilyMs: 50 });
    await eventually(async () => dns.queries.length >= 3); // the second query for AAAA
    dns.names.set("a.example", ["2a00::1"]);
    expect(await found).toEqual(["2a00::1"]);
  });

  test("the addresses after a lost packet", async () => {
    dns.names.set("a.example", "silence");
    const found = addresses("a.example");
    await eventually(async () => dns.queries.length >= 2);
    dns.names.set("a.example", ["8.8.8.8"]);
    expect(await found).toEqual(["8.8.8.8"]);
  });
});

test("resolveName returns an answered name while other names wait for an answer", async () => {
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

describe("resolveName with a hosts file", () => {
  const hosts = (text: string): ResolveNameSettings => {
    writeFileSync(join(folder, "hosts"), text);
    return { hostsFile: join(folder, "hosts") };
  };

  test("prefers it to the name server, and reads it each time", async () => {
    dns.names.set("a.example", ["8.8.8.8"]);
    const settings = hosts(
      "# a.example\n10.0.0.1\tA.example b.example # a comment\n\n  fd00::1 c.example a.example\nnonsense a.example\n",
    );
    expect(await addresses("a.example", settings)).toEqual(["10.0.0.1", "fd00::1"]);
    expect(await addresses("b.example", settings)).toEqual(["10.0.0.1"]);
    expect(dns.queries).toEqual([]);
    expect(await addresses("a.example", hosts("10.0.0.1 b.example"))).toEqual(["8.8.8.8"]);
  });

  test("takes localhost from it, or else loopback, without a query", async () => {
    expect(await addresses("localhost", hosts("127.0.0.1 localhost"))).toEqual(["127.0.0.1"]);
    expect(await addresses("localhost")).toEqual(["127.0.0.1", "::1"]);
    expect(await addresses("api.localhost")).toEqual(["127.0.0.1", "::1"]);
    expect(dns.queries).toEqual([]);
  });
});

describe("post to a name", () => {
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

  test("connects to the address from the name server", async () => {
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

  test("that becomes private after the check is not resolved again, and fails at the next attempt", async () => {
    dns.names.set("hook.example", ["127.0.0.1"]);
    const poster = posting();
    const first = poster.post({ url: `https://hook.example:${receiver.port}/`, headers: {}, body: "{}" });
    while (dns.queries.length < 2) await new Promise((resolve) => setImmediate(resolve));
    dns.names.set("hook.example", ["10.0.0.1"]);
    expect(await first).toMatchObject({ statusCode: 200, failure: null });
    expect(dns.queries).toEqual(["A hook.example", "AAAA hook.example"]);
    expect(await post(poster)).toMatchObject({ statusCode: null, failure: "address" });
    expect(receiver.received).toHaveLength(1);
  });

  test.each<Knows>(["silence", "noise", "SERVFAIL", "NXDOMAIN", []])(
    "fails as dns if the name server answers %p",
    async (knows) => {
      dns.names.set("hook.example", knows);
      const outcome = await post(posting({ deadlineMs: 300 }));
      expect(outcome).toMatchObject({ statusCode: null, failure: "dns" });
    },
  );
});
