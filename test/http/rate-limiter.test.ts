/** The rate limiter alone, with a clock of the test. (docs/specification/conventions.md#rate-limits) */
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";

/** Starts at a full minute, so that a test knows when the window ends. */
function clock(start = 1_800_000_000_000) {
  let now = start - (start % 60_000);
  return { now: () => now, pass: (ms: number) => (now += ms) };
}

test("The default rate limits equal the specification", () => {
  expect(specified).toEqual({
    key: 300,
    organisation: 1000,
    platformKey: 60,
    hook: 60,
    clientDocument: 30,
    address: 60,
    withoutAddress: 3000,
  });
});

test("consume succeeds 300 times per key and minute, and again in the next minute", () => {
  const time = clock();
  const buckets = makeRateLimiter(time.now);
  const consume = () => buckets.consume(buckets.of("key", "organisation"));
  for (let each = 0; each < 300; each += 1) expect(consume()).toBe(true);
  expect(consume()).toBe(false);
  time.pass(59_999);
  expect(consume()).toBe(false);
  time.pass(1);
  for (let each = 0; each < 300; each += 1) expect(consume()).toBe(true);
  expect(consume()).toBe(false);
});

test("The keys of an organisation share one bucket, separate from other organisations", () => {
  const buckets = makeRateLimiter(clock().now);
  const consume = (key: string, organisation = "ours") => buckets.consume(buckets.of(key, organisation));
  for (let each = 0; each < 1000; each += 1) expect(consume(`key ${each % 4}`)).toBe(true);
  expect(consume("key 0")).toBe(false);
  expect(consume("a fifth")).toBe(false);
  expect(consume("key 0", "theirs")).toBe(true);
});

test("consume takes from no bucket if one of them is exhausted", () => {
  const buckets = makeRateLimiter(clock().now);
  const own = buckets.of("key", "organisation");
  for (let each = 0; each < 300; each += 1) buckets.consume(own);
  for (let each = 0; each < 900; each += 1) expect(buckets.consume(own)).toBe(false);
  expect(own.map(({ used }) => used)).toEqual([300, 300]);
  expect(buckets.consume(buckets.of("another", "organisation"))).toBe(true);
});

test("refund makes the requests available again", () => {
  const buckets = makeRateLimiter(clock().now);
  const own = buckets.of("key", "organisation");
  for (let each = 0; each < 300; each += 1) buckets.consume(own);
  buckets.refund(own);
  expect(buckets.consume(own)).toBe(true);
  expect(buckets.consume(own)).toBe(false);
});

test("refund of the previous minute does not add to the current one", () => {
  const time = clock();
  const buckets = makeRateLimiter(time.now);
  const before = buckets.of("key", "organisation");
  buckets.consume(before);
  time.pass(60_000);
  const after = buckets.of("key", "organisation");
  buckets.refund(before);
  for (let each = 0; each < 300; each += 1) expect(buckets.consume(after)).toBe(true);
  expect(buckets.consume(after)).toBe(false);
});

test("A platform key has one bucket of 60", () => {
  const buckets = makeRateLimiter(clock().now);
  const own = buckets.of("key", null);
  expect(own).toEqual([{ name: "platform-key", limit: 60, used: 0 }]);
});

test("Each address has a bucket of 60; callers without an address share one of 3,000", () => {
  const buckets = makeRateLimiter(clock().now);
  const consume = (address?: string) => buckets.consume([buckets.ofAddress(address)]);
  for (let each = 0; each < 60; each += 1) expect(consume("192.0.2.1")).toBe(true);
  expect(consume("192.0.2.1")).toBe(false);
  expect(consume("192.0.2.2")).toBe(true);
  for (let each = 0; each < 3000; each += 1) expect(consume()).toBe(true);
  expect(consume()).toBe(false);
  expect(consume("192.0.2.2")).toBe(true);
});

test("Beyond 20,000 addresses in a minute, further ones share the bucket of callers without an address", () => {
  const time = clock();
  const buckets = makeRateLimiter(time.now);
  const room = (address: string) => buckets.ofAddress(address).limit;
  for (let each = 0; each < 20_000; each += 1) expect(room(`address ${each}`)).toBe(60);
  expect(room("one more")).toBe(3000);
  expect(room("address 7")).toBe(60);
  time.pass(60_000);
  expect(room("one more")).toBe(60);
});

test("secondsLeft rounds up and is never zero", () => {
  const time = clock();
  const buckets = makeRateLimiter(time.now);
  expect(buckets.secondsLeft()).toBe(60);
  time.pass(1);
  expect(buckets.secondsLeft()).toBe(60);
  time.pass(59_998);
  expect(buckets.secondsLeft()).toBe(1);
});
