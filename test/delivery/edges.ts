/** Addresses at the edges of the table, for the tests of everything that uses the table. */
export type Edges = { range: string; first: string; last: string; before?: string; after?: string };

/** Both ends of every refused range, and the addresses just outside if they are reachable. */
export const refusedRanges: readonly Edges[] = [
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
  // Addresses on either side of 2000::/3, which are not global unicast.
  { range: "::/0", first: "64:ff9b:2::", last: "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", after: "2000::" },
  {
    range: "::/0",
    before: "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    first: "4000::",
    last: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
  },
];

/**
 * For each range that embeds an IPv4 address: the lowest and highest address with a public one, and the addresses just
 * outside, which embed nothing. Addresses outside of 2002::/16 are ordinary global addresses.
 */
export const embeddingRanges: readonly { range: string; inside: string[]; refused: string[]; reachable: string[] }[] = [
  {
    range: "::/96",
    inside: ["::100:0", "::dfff:ffff"],
    refused: ["::", "::ff:ffff", "::e000:0", "::ffff:ffff", "::1:100:0", "::1:0:100:0"],
    reachable: [],
  },
  {
    range: "::ffff:0:0/96",
    inside: ["::ffff:100:0", "::ffff:dfff:ffff"],
    refused: ["::ffff:0:0", "::ffff:ff:ffff", "::ffff:e000:0", "::ffff:ffff:ffff", "::fffe:100:0", "::1:0:100:0"],
    reachable: [],
  },
  {
    range: "64:ff9b::/96",
    inside: ["64:ff9b::100:0", "64:ff9b::dfff:ffff"],
    refused: ["64:ff9b::", "64:ff9b::ffff:ffff", "64:ff9a:ffff:ffff:ffff:ffff:100:0", "64:ff9b::1:100:0"],
    reachable: [],
  },
  {
    range: "2002::/16",
    inside: ["2002:100::", "2002:dfff:ffff:ffff:ffff:ffff:ffff:ffff"],
    refused: [
      "2002::",
      "2002:ff:ffff:ffff:ffff:ffff:ffff:ffff",
      "2002:e000::",
      "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ],
    reachable: ["2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"],
  },
];

/** Every address at an edge, with whether a delivery may reach it. */
export const edges: readonly (readonly [address: string, reachable: boolean])[] = [
  ...refusedRanges.flatMap(({ first, last, before, after }) => [
    [first, false] as const,
    [last, false] as const,
    ...[before, after].filter((each) => each !== undefined).map((each) => [each, true] as const),
  ]),
  ...embeddingRanges.flatMap(({ inside, refused, reachable }) => [
    ...inside.map((each) => [each, true] as const),
    ...refused.map((each) => [each, false] as const),
    ...reachable.map((each) => [each, true] as const),
  ]),
];
