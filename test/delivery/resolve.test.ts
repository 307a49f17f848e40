import type { LookupAddress } from "node:dns";
import { parseRanges } from "../../src/delivery/address.ts";
import { createResolver } from "../../src/delivery/resolve.ts";
import { eventually } from "../support/worker.ts";
import { edges } from "./edges.ts";

const v4 = (address: string): LookupAddress => ({ address, family: 4 });
const v6 = (address: string): LookupAddress => ({ address, family: 6 });

/** A resolver whose DNS returns `answers` one after the other. */
function resolverOf(...answers: LookupAddress[][]) {
  return createResolver(parseRanges(""), 60_000, async () => answers.shift() ?? []);
}

function addressesFor(resolver: ReturnType<typeof createResolver>, hostname: string) {
  return new Promise((resolve, reject) => {
    resolver.lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}

test("lookup returns exactly the checked addresses", async () => {
  const resolver = resolverOf([v4("8.8.8.8"), v6("2606:4700::1")]);
  expect(await resolver.check("a.example")).toBeNull();
  expect(await addressesFor(resolver, "a.example")).toEqual([v4("8.8.8.8"), v6("2606:4700::1")]);
});

test("check refuses a name with one refused address at any position", async () => {
  const resolver = resolverOf([v4("8.8.8.8"), v4("10.0.0.1")], [v6("::1"), v4("8.8.8.8")]);
  expect(await resolver.check("a.example")).toBe("address");
  expect(await resolver.check("a.example")).toBe("address");
  await expect(addressesFor(resolver, "a.example")).rejects.toThrow("were not checked");
});

test("lookup does not resolve a name again that became private after its check", async () => {
  const resolver = resolverOf([v4("8.8.8.8")], [v4("127.0.0.1")]);
  expect(await resolver.check("a.example")).toBeNull();
  expect(await addressesFor(resolver, "a.example")).toEqual([v4("8.8.8.8")]);
  expect(await resolver.check("a.example")).toBe("address"); // the next attempt sees the new address
});

test("addressesOf returns checked addresses until keepMs after the last check", async () => {
  const keepMs = 200;
  const resolver = createResolver(parseRanges(""), keepMs, async () => [v4("8.8.8.8")]);
  const known = () => resolver.addressesOf("a.example").length > 0;
  await resolver.check("a.example");
  await eventually(async () => !known());
  const began = performance.now();
  await resolver.check("a.example");
  await eventually(async () => performance.now() - began > keepMs / 2);
  await resolver.check("a.example");
  const again = performance.now();
  await eventually(async () => !known());
  expect(performance.now() - again).toBeGreaterThanOrEqual(keepMs - 1); // the last check counts, not the first
});

test("check returns dns for a name without addresses", async () => {
  expect(await resolverOf([]).check("a.example")).toBe("dns");
  const broken = createResolver(parseRanges(""), 60_000, () => Promise.reject(new Error("SERVFAIL")));
  expect(await broken.check("a.example")).toBe("dns");
});

test("check of an address literal sends no query", async () => {
  const resolver = createResolver(parseRanges(""), 60_000, () => Promise.reject(new Error("was called")));
  expect(await resolver.check("8.8.8.8")).toBeNull();
  expect(await resolver.check("[2606:4700::1]")).toBeNull();
  expect(await resolver.check("10.0.0.1")).toBe("address");
  expect(await resolver.check("[::ffff:a00:1]")).toBe("address");
});

test.each(edges)(
  "check of %s, at the edge of a range, as literal and as resolved address: reachable is %p",
  async (address, reachable) => {
    const outcome = reachable ? null : "address";
    const [answer, host] = address.includes(":") ? [v6(address), `[${address}]`] : [v4(address), address];
    expect(await resolverOf().check(host)).toBe(outcome);
    expect(await resolverOf([answer]).check("a.example")).toBe(outcome);
    expect(await resolverOf([v4("8.8.8.8"), answer]).check("a.example")).toBe(outcome);
  },
);
