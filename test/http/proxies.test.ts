/**
 * Rate limits by address behind a load balancer. (docs/specification/conventions.md#rate-limits)
 * Each test starts an API that allows two refusals per address and minute, and checks whose third one is limited.
 */
import { ConfigError, readConfig } from "../../src/config.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { expectRefusal } from "../support/answers.ts";
import { type Json, type Reply, type TestApi, testApi } from "../support/api.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
let api: TestApi | undefined;
beforeAll(async () => {
  db = await testDatabase();
});
afterEach(async () => {
  await api?.stop();
  api = undefined;
});
afterAll(() => db.drop());

const noon = 1_800_000_000_000;

async function behind(trusted: string, withoutAddress = specified.withoutAddress): Promise<void> {
  const buckets = makeRateLimiter(() => noon, { ...specified, address: 2, withoutAddress });
  api = await testApi(db, { TRUSTED_PROXIES: trusted }, buckets);
}

async function call(forwardedFor?: string): Promise<Reply<Json>> {
  const headers: Record<string, string> = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
  if (!api) throw new Error("no API runs");
  return api.call("GET", "/me", { headers });
}

/** The code that each call returns: rate_limited from the third of one address. */
async function refusals(forwarded: string[]): Promise<string[]> {
  const codes = [];
  for (const each of forwarded) codes.push((await call(each)).body.error.code);
  return codes;
}

const two = ["unauthenticated", "unauthenticated"];

test("Without trusted proxies the peer's address counts, not X-Forwarded-For", async () => {
  await behind("");
  expect(await refusals(["198.51.100.1", "198.51.100.2", "198.51.100.3"])).toEqual([...two, "rate_limited"]);
});

test("The address of a peer outside the trusted ranges counts", async () => {
  await behind("10.0.0.0/8,192.0.2.7");
  expect(await refusals(["198.51.100.1", "198.51.100.2", "198.51.100.3"])).toEqual([...two, "rate_limited"]);
});

test("Behind a trusted proxy each forwarded address counts for itself", async () => {
  await behind("127.0.0.0/8");
  expect(await refusals(["198.51.100.1", "198.51.100.2", "198.51.100.1", "198.51.100.2"])).toEqual([...two, ...two]);
  expectRefusal(await call("198.51.100.1"), "rate_limited");
  expectRefusal(await call("198.51.100.2"), "rate_limited");
  expectRefusal(await call("2001:db8::1"), "unauthenticated");
});

test("All IPv6 addresses of one /64 network count together", async () => {
  await behind("127.0.0.0/8");
  const network = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:2::3"];
  expect(await refusals(network)).toEqual([...two, "rate_limited"]);
  expectRefusal(await call("2001:db8:1:3::1"), "unauthenticated");
  // An IPv4-mapped address counts as its IPv4 address, not as one network.
  expect(await refusals(["::ffff:198.51.100.1", "::ffff:198.51.100.1", "::ffff:198.51.100.2"])).toEqual([
    ...two,
    "unauthenticated",
  ]);
});

test("Addresses to the left of the caller's own are ignored", async () => {
  await behind("127.0.0.1");
  const spoofed = ["203.0.113.1, 198.51.100.1", "127.0.0.1, 198.51.100.1", "nonsense, 198.51.100.1"];
  expect(await refusals(spoofed)).toEqual([...two, "rate_limited"]);
});

test("The address is read from the right, past trusted hops only", async () => {
  await behind("127.0.0.0/8, 10.0.0.0/8");
  const hops = ["198.51.100.1, 10.1.1.1", "203.0.113.9, 198.51.100.1, 10.2.2.2, 10.1.1.1", "198.51.100.1"];
  expect(await refusals(hops)).toEqual([...two, "rate_limited"]);
  expectRefusal(await call("203.0.113.9, 10.1.1.1"), "unauthenticated");
});

test("A header without an address counts as a caller without one, not as the proxy", async () => {
  await behind("127.0.0.0/8", 3);
  const malformed = ["unknown", "_hidden", "<script>", "198.51.100.999", ", ,"];
  expect(await refusals(malformed)).toEqual([...two, "unauthenticated", "rate_limited", "rate_limited"]);
  expectRefusal(await call(), "unauthenticated");
  expectRefusal(await call("198.51.100.1"), "unauthenticated");
});

test("An empty hop is no caller, and is ignored to the left of one", async () => {
  await behind("127.0.0.0/8, 10.0.0.0/8", 2);
  const empty = ["198.51.100.1, ", "198.51.100.1,,", "198.51.100.1, , 10.1.1.1"];
  expect(await refusals(empty)).toEqual([...two, "rate_limited"]);
  expect(await refusals([" , 198.51.100.1", "198.51.100.1", ",198.51.100.1, 10.1.1.1"])).toEqual([
    ...two,
    "rate_limited",
  ]);
});

test("A port and brackets are no part of the address, for callers and for trusted hops", async () => {
  await behind("127.0.0.0/8, 10.0.0.0/8");
  const spelled = ["198.51.100.1:4711", "198.51.100.1:4712, 10.1.1.1:80", "198.51.100.1"];
  expect(await refusals(spelled)).toEqual([...two, "rate_limited"]);
  expect(await refusals(["[2001:db8::1]:4711", "[2001:db8::1]", "2001:db8::1"])).toEqual([...two, "rate_limited"]);
});

test("TRUSTED_PROXIES is empty by default, and readConfig rejects an unreadable range", () => {
  const trusts = (setting: string, address: string) => readConfig({ TRUSTED_PROXIES: setting }).trustsProxy(address);
  expect(readConfig({}).trustsProxy("127.0.0.1")).toBe(false);
  expect(trusts("10.0.0.0/8, fd00::/8", "10.200.3.4")).toBe(true);
  expect(trusts("10.0.0.0/8, fd00::/8", "fd12::1")).toBe(true);
  expect(trusts("10.0.0.0/8, fd00::/8", "11.0.0.1")).toBe(false);
  for (const setting of ["10.0.0.0/99", "the balancer", "10.0.0.0/8;fd00::/8", "0.0.0.0/0"]) {
    expect(() => readConfig({ TRUSTED_PROXIES: setting })).toThrow(ConfigError);
    expect(() => readConfig({ TRUSTED_PROXIES: setting })).toThrow(/TRUSTED_PROXIES/);
  }
});
