import { addressClasses, isReachable, parseRanges } from "../../src/delivery/address.ts";
import { edges, embeddingRanges, refusedRanges } from "./edges.ts";

const none = parseRanges("");

test.each(edges)("isReachable of %s, at the edge of a range, is %p", (address, reachable) => {
  expect(isReachable(address, none)).toBe(reachable);
});

test("every range of the table has a test at both ends", () => {
  const looked = new Set([...refusedRanges, ...embeddingRanges].map(({ range }) => range));
  const listed = addressClasses.filter(([, verdict]) => verdict !== "reachable").map(([range]) => range);
  expect(looked).toEqual(new Set(listed));
});

test.each(["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001::200e"])(
  "isReachable accepts %s",
  (address) => {
    expect(isReachable(address, none)).toBe(true);
  },
);

test.each([
  "::", // unspecified
  "::1", // loopback
  "100::1", // discarded
  "5f00::1", // segment routing
  "fc00::1", // unique local
  "fd00:ec2::254", // a cloud's metadata service
  "fe80::1", // link-local
  "fe80::1%eth0",
  "fec0::1", // site-local, deprecated
  "ff02::1", // multicast
  "2001:0:4136:e378:8000:63bf:3fff:fdd2", // Teredo, around a public address
  "169.254.169.254", // metadata
])("isReachable refuses %s", (address) => {
  expect(isReachable(address, none)).toBe(false);
});

describe("isReachable judges an IPv6 address by the IPv4 address embedded in it", () => {
  const wrappers: [name: string, wrap: (hex: string) => string][] = [
    ["mapped", (hex) => `::ffff:${hex}`],
    ["compatible", (hex) => `::${hex}`],
    ["NAT64", (hex) => `64:ff9b::${hex}`],
    ["6to4", (hex) => `2002:${hex}::1`],
  ];
  test.each(wrappers)("%s", (_name, wrap) => {
    expect(isReachable(wrap("808:808"), none)).toBe(true); // 8.8.8.8
    expect(isReachable(wrap("7f00:1"), none)).toBe(false); // 127.0.0.1
    expect(isReachable(wrap("a9fe:a9fe"), none)).toBe(false); // 169.254.169.254
    expect(isReachable(wrap("aff:ffff"), none)).toBe(false); // 10.255.255.255
    expect(isReachable(wrap("b00:0"), none)).toBe(true); // 11.0.0.0
    expect(isReachable(wrap("7f00:1"), parseRanges("127.0.0.0/8"))).toBe(true);
  });

  test("in every spelling", () => {
    expect(isReachable("::ffff:127.0.0.1", none)).toBe(false);
    expect(isReachable("0:0:0:0:0:FFFF:127.0.0.1", none)).toBe(false);
    expect(isReachable("64:ff9b::10.0.0.1", none)).toBe(false);
    expect(isReachable("::ffff:8.8.8.8", none)).toBe(true);
  });

  test("and refuses the older translation prefix with any embedded address", () => {
    expect(isReachable("::ffff:0:8.8.8.8", none)).toBe(false);
  });
});

test.each(["", "localhost", "127.0.0.1.", "127.1", "010.0.0.1", "8.8.8.8:443", "[::1]", "1::2::3"])(
  "isReachable refuses %p, which is no address",
  (text) => {
    expect(isReachable(text, none)).toBe(false);
  },
);

describe("WEBHOOK_ALLOW_RANGES", () => {
  test("opens refused addresses, up to both ends of a range", () => {
    const allowed = parseRanges("10.1.0.0/16, fd00::/8");
    expect(isReachable("10.0.255.255", allowed)).toBe(false);
    expect(isReachable("10.1.0.0", allowed)).toBe(true);
    expect(isReachable("10.1.255.255", allowed)).toBe(true);
    expect(isReachable("10.2.0.0", allowed)).toBe(false);
    expect(isReachable("fcff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", allowed)).toBe(false);
    expect(isReachable("fd12::1", allowed)).toBe(true);
    expect(isReachable("fe00::", allowed)).toBe(false);
  });

  test("accepts a range of one address, and of all", () => {
    expect(isReachable("::1", parseRanges("::1/128"))).toBe(true);
    expect(isReachable("::2", parseRanges("::1/128"))).toBe(false);
    expect(isReachable("192.168.1.1", parseRanges("0.0.0.0/0"))).toBe(true);
  });

  test("accepts an empty list", () => {
    expect(parseRanges("  ")).toEqual([]);
  });

  test.each([
    "10.0.0.0",
    "10.0.0.0/33",
    "10.0.0.1/8",
    "::/129",
    "fd00::/8/8",
    "10.0.0.0/08",
    "local",
    "10.0.0.0/8,",
    "/8",
  ])("is refused with a sentence if it contains %p", (text) => {
    expect(() => parseRanges(text)).toThrow(
      /^entry \d is not a range of addresses such as 10\.0\.0\.0\/8 or fd00::\/8/,
    );
  });

  test("is refused with the number of the malformed range, without its text", () => {
    expect(() => parseRanges("10.0.0.0/8, 300.0.0.0/8")).toThrow("entry 2 is not");
  });
});
