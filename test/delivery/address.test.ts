import { addressClasses, isReachable, parseRanges } from "../../src/delivery/address.ts";

const none = parseRanges("");

/** Every refused range by its two ends, and what lies just outside them where that is reachable. */
const refusedRanges: { range: string; first: string; last: string; before?: string; after?: string }[] = [
  { range: "0.0.0.0/8", first: "0.0.0.0", last: "0.255.255.255", after: "1.0.0.0" },
  { range: "10.0.0.0/8", before: "9.255.255.255", first: "10.0.0.0", last: "10.255.255.255", after: "11.0.0.0" },
  {
    range: "100.64.0.0/10",
    before: "100.63.255.255",
    first: "100.64.0.0",
    last: "100.127.255.255",
    after: "100.128.0.0",
  },
  { range: "127.0.0.0/8", before: "126.255.255.255", first: "127.0.0.0", last: "127.255.255.255", after: "128.0.0.0" },
  {
    range: "168.63.129.16/32",
    before: "168.63.129.15",
    first: "168.63.129.16",
    last: "168.63.129.16",
    after: "168.63.129.17",
  },
  {
    range: "169.254.0.0/16",
    before: "169.253.255.255",
    first: "169.254.0.0",
    last: "169.254.255.255",
    after: "169.255.0.0",
  },
  {
    range: "172.16.0.0/12",
    before: "172.15.255.255",
    first: "172.16.0.0",
    last: "172.31.255.255",
    after: "172.32.0.0",
  },
  { range: "192.0.0.0/24", before: "191.255.255.255", first: "192.0.0.0", last: "192.0.0.255", after: "192.0.1.0" },
  { range: "192.0.2.0/24", before: "192.0.1.255", first: "192.0.2.0", last: "192.0.2.255", after: "192.0.3.0" },
  {
    range: "192.31.196.0/24",
    before: "192.31.195.255",
    first: "192.31.196.0",
    last: "192.31.196.255",
    after: "192.31.197.0",
  },
  {
    range: "192.52.193.0/24",
    before: "192.52.192.255",
    first: "192.52.193.0",
    last: "192.52.193.255",
    after: "192.52.194.0",
  },
  {
    range: "192.88.99.0/24",
    before: "192.88.98.255",
    first: "192.88.99.0",
    last: "192.88.99.255",
    after: "192.88.100.0",
  },
  {
    range: "192.168.0.0/16",
    before: "192.167.255.255",
    first: "192.168.0.0",
    last: "192.168.255.255",
    after: "192.169.0.0",
  },
  {
    range: "192.175.48.0/24",
    before: "192.175.47.255",
    first: "192.175.48.0",
    last: "192.175.48.255",
    after: "192.175.49.0",
  },
  {
    range: "198.18.0.0/15",
    before: "198.17.255.255",
    first: "198.18.0.0",
    last: "198.19.255.255",
    after: "198.20.0.0",
  },
  {
    range: "198.51.100.0/24",
    before: "198.51.99.255",
    first: "198.51.100.0",
    last: "198.51.100.255",
    after: "198.51.101.0",
  },
  {
    range: "203.0.113.0/24",
    before: "203.0.112.255",
    first: "203.0.113.0",
    last: "203.0.113.255",
    after: "203.0.114.0",
  },
  { range: "224.0.0.0/4", before: "223.255.255.255", first: "224.0.0.0", last: "239.255.255.255" },
  { range: "240.0.0.0/4", first: "240.0.0.0", last: "255.255.255.255" },

  { range: "64:ff9b:1::/48", first: "64:ff9b:1::", last: "64:ff9b:1:ffff:ffff:ffff:ffff:ffff" },
  {
    range: "2001::/23",
    before: "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    first: "2001::",
    last: "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
    after: "2001:200::",
  },
  {
    range: "2001:db8::/32",
    before: "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
    first: "2001:db8::",
    last: "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    after: "2001:db9::",
  },
  {
    range: "2620:4f:8000::/48",
    before: "2620:4f:7fff:ffff:ffff:ffff:ffff:ffff",
    first: "2620:4f:8000::",
    last: "2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
    after: "2620:4f:8001::",
  },
  {
    range: "3fff::/20",
    before: "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    first: "3fff::",
    last: "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
    after: "3fff:1000::",
  },
  // What is refused for not being global unicast, in one piece on either side of 2000::/3.
  { range: "::/0", first: "64:ff9b:2::", last: "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", after: "2000::" },
  {
    range: "::/0",
    before: "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    first: "4000::",
    last: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
  },
];

test.each(refusedRanges)("$range is refused up to both of its ends, and no further", (range) => {
  expect(isReachable(range.first, none)).toBe(false);
  expect(isReachable(range.last, none)).toBe(false);
  if (range.before) expect(isReachable(range.before, none)).toBe(true);
  if (range.after) expect(isReachable(range.after, none)).toBe(true);
});

test("no range of the table has gone without a look at its ends", () => {
  const refused = addressClasses.filter(([, verdict]) => verdict === "refused").map(([range]) => range);
  expect(new Set(refusedRanges.map(({ range }) => range))).toEqual(new Set(refused));
});

test.each(["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001::200e"])("%s is reachable", (address) => {
  expect(isReachable(address, none)).toBe(true);
});

test.each([
  "::", // unspecified
  "::1", // loopback
  "100::1", // discarded
  "5f00::1", // segment routing
  "fc00::1", // unique local
  "fd00:ec2::254", // a cloud's metadata service
  "fe80::1", // link-local
  "fe80::1%eth0",
  "fec0::1", // site-local, given up
  "ff02::1", // multicast
  "2001:0:4136:e378:8000:63bf:3fff:fdd2", // Teredo, here around a public address
  "169.254.169.254", // metadata
])("%s is refused", (address) => {
  expect(isReachable(address, none)).toBe(false);
});

describe("an IPv6 address that carries an IPv4 one is judged by what it carries", () => {
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

  test("however it is spelled", () => {
    expect(isReachable("::ffff:127.0.0.1", none)).toBe(false);
    expect(isReachable("0:0:0:0:0:FFFF:127.0.0.1", none)).toBe(false);
    expect(isReachable("64:ff9b::10.0.0.1", none)).toBe(false);
    expect(isReachable("::ffff:8.8.8.8", none)).toBe(true);
  });

  test("and the older translation prefix is refused whatever it carries", () => {
    expect(isReachable("::ffff:0:8.8.8.8", none)).toBe(false);
  });
});

test.each(["", "localhost", "127.0.0.1.", "127.1", "010.0.0.1", "8.8.8.8:443", "[::1]", "1::2::3"])(
  "what is not an address cannot be reached: %p",
  (text) => {
    expect(isReachable(text, none)).toBe(false);
  },
);

describe("the operator's ranges", () => {
  test("open what the table refuses, up to both ends", () => {
    const allowed = parseRanges("10.1.0.0/16, fd00::/8");
    expect(isReachable("10.0.255.255", allowed)).toBe(false);
    expect(isReachable("10.1.0.0", allowed)).toBe(true);
    expect(isReachable("10.1.255.255", allowed)).toBe(true);
    expect(isReachable("10.2.0.0", allowed)).toBe(false);
    expect(isReachable("fcff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", allowed)).toBe(false);
    expect(isReachable("fd12::1", allowed)).toBe(true);
    expect(isReachable("fe00::", allowed)).toBe(false);
  });

  test("may be a single address, and all of them", () => {
    expect(isReachable("::1", parseRanges("::1/128"))).toBe(true);
    expect(isReachable("::2", parseRanges("::1/128"))).toBe(false);
    expect(isReachable("192.168.1.1", parseRanges("0.0.0.0/0"))).toBe(true);
  });

  test("may be none", () => {
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
  ])("are refused with a sentence when one is malformed: %p", (text) => {
    expect(() => parseRanges(text)).toThrow(/^".*" is not a range of addresses such as 10\.0\.0\.0\/8 or fd00::\/8/);
  });

  test("are refused by the name of the one that is malformed", () => {
    expect(() => parseRanges("10.0.0.0/8, 300.0.0.0/8")).toThrow('"300.0.0.0/8"');
  });
});
