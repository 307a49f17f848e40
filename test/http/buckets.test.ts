/** The request buckets by themselves, with a clock of the test's own. (Part 8.) */
import { makeBuckets, specified } from "../../src/http/buckets.ts";

/** On the minute, so that a test says itself when the window turns. */
function clock(start = 1_800_000_000_000) {
  let now = start - (start % 60_000);
  return { now: () => now, pass: (ms: number) => (now += ms) };
}

test("the limits are those of the specification", () => {
  expect(specified).toEqual({
    key: 300,
    organisation: 1000,
    platformKey: 60,
    hook: 60,
    address: 60,
    withoutAddress: 3000,
  });
});

test("a bucket takes as many as it has room for, and as many again when the minute turns", () => {
  const time = clock();
  const buckets = makeBuckets(time.now);
  const spend = () => buckets.spend(buckets.of("key", "organisation"));
  for (let each = 0; each < 300; each += 1) expect(spend()).toBe(true);
  expect(spend()).toBe(false);
  time.pass(59_999);
  expect(spend()).toBe(false);
  time.pass(1);
  for (let each = 0; each < 300; each += 1) expect(spend()).toBe(true);
  expect(spend()).toBe(false);
});

test("the keys of an organisation share its bucket; those of another don't", () => {
  const buckets = makeBuckets(clock().now);
  const spend = (key: string, organisation = "ours") => buckets.spend(buckets.of(key, organisation));
  for (let each = 0; each < 1000; each += 1) expect(spend(`key ${each % 4}`)).toBe(true);
  expect(spend("key 0")).toBe(false);
  expect(spend("a fifth")).toBe(false);
  expect(spend("key 0", "theirs")).toBe(true);
});

test("what is refused by one bucket is taken from none", () => {
  const buckets = makeBuckets(clock().now);
  const own = buckets.of("key", "organisation");
  for (let each = 0; each < 300; each += 1) buckets.spend(own);
  for (let each = 0; each < 900; each += 1) expect(buckets.spend(own)).toBe(false);
  expect(own.map(({ used }) => used)).toEqual([300, 300]);
  expect(buckets.spend(buckets.of("another", "organisation"))).toBe(true);
});

test("what turned out not to be the caller's is given back", () => {
  const buckets = makeBuckets(clock().now);
  const own = buckets.of("key", "organisation");
  for (let each = 0; each < 300; each += 1) buckets.spend(own);
  buckets.giveBack(own);
  expect(buckets.spend(own)).toBe(true);
  expect(buckets.spend(own)).toBe(false);
});

test("what is given back after the minute has turned gives no room in the new one", () => {
  const time = clock();
  const buckets = makeBuckets(time.now);
  const before = buckets.of("key", "organisation");
  buckets.spend(before);
  time.pass(60_000);
  const after = buckets.of("key", "organisation");
  buckets.giveBack(before);
  for (let each = 0; each < 300; each += 1) expect(buckets.spend(after)).toBe(true);
  expect(buckets.spend(after)).toBe(false);
});

test("a platform key has one bucket, of sixty", () => {
  const buckets = makeBuckets(clock().now);
  const own = buckets.of("key", null);
  expect(own).toEqual([{ name: "platform-key", limit: 60, used: 0 }]);
});

test("each address has a bucket of sixty; who has none shares one of three thousand", () => {
  const buckets = makeBuckets(clock().now);
  const spend = (address?: string) => buckets.spend([buckets.ofAddress(address)]);
  for (let each = 0; each < 60; each += 1) expect(spend("192.0.2.1")).toBe(true);
  expect(spend("192.0.2.1")).toBe(false);
  expect(spend("192.0.2.2")).toBe(true);
  for (let each = 0; each < 3000; each += 1) expect(spend()).toBe(true);
  expect(spend()).toBe(false);
  expect(spend("192.0.2.2")).toBe(true);
});

test("so many addresses in one minute that memory would be at stake share the bucket of those without", () => {
  const time = clock();
  const buckets = makeBuckets(time.now);
  const room = (address: string) => buckets.ofAddress(address).limit;
  for (let each = 0; each < 20_000; each += 1) expect(room(`address ${each}`)).toBe(60);
  expect(room("one more")).toBe(3000);
  expect(room("address 7")).toBe(60);
  time.pass(60_000);
  expect(room("one more")).toBe(60);
});

test("the seconds until the minute turns are counted up, never to zero", () => {
  const time = clock();
  const buckets = makeBuckets(time.now);
  expect(buckets.secondsLeft()).toBe(60);
  time.pass(1);
  expect(buckets.secondsLeft()).toBe(60);
  time.pass(59_998);
  expect(buckets.secondsLeft()).toBe(1);
});
