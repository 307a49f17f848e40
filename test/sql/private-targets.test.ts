/**
 * Endpoints at private addresses and names, below the API process. The ranges and names come from src/delivery, so
 * each case is compared with the rule in TypeScript.
 */
import { allowTargets } from "../../src/database/migrate.ts";
import { parseRanges } from "../../src/delivery/address.ts";
import { localSuffixes, parseHosts } from "../../src/delivery/host-names.ts";
import { isPrivateTarget, urlFault } from "../../src/delivery/webhook-url.ts";
import { edges } from "../delivery/edges.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

type Targets = Parameters<typeof allowTargets>[1];
const allowing = (ranges = "", hosts = ""): Targets => ({ ranges: parseRanges(ranges), hosts: parseHosts(hosts) });

const hostOf = (address: string) => (address.includes(":") ? `[${address}]` : address);

/** URLs that SQL accepts. */
async function accepted(urls: string[], allowed: Targets): Promise<string[]> {
  await allowTargets({ query: (text, values) => db.sql(text, values) }, allowed);
  const rows = await db.sql<{ url: string }>(
    `select url from unnest($1::text[]) with ordinality listed (url, place)
     where names.is_endpoint_url(url) and not (
       select names.is_private_host(names.host_of(url), settings.webhook_allow_ranges, settings.webhook_allow_hosts)
       from app.service_settings settings
     ) order by place`,
    [urls],
  );
  return rows.map(({ url }) => url);
}

const names = [
  ...localSuffixes.flatMap((suffix) => [
    suffix,
    `a.${suffix}`,
    `A.${suffix.toUpperCase()}`,
    `${suffix}.example`,
    `a${suffix}.example`,
  ]),
  ...["hooks", "example.com", "8.8.8.8.example", "notlocalhost.example", "bücher.example"],
  ...["ｌocalhost", "loc\u00adalhost", "127。0。0。1", "１２７.0.0.1", "localhoſt"],
  ...[
    "127.1",
    "0x7f.1",
    "0x7F.0x0.0x0.0x1",
    "0177.0.0.1",
    "2130706433",
    "0",
    "0x",
    "1.2.3.4.5",
    "256.1.1.1",
    "08.8.8.8",
  ],
  ...["8.8.2056", "0x8080808", "010.8.8.8", "134744072", "4294967295", "4294967296", "99999999999999999999"],
  ...["1.0x", "8.8.8.0x8", "a.1", "a.0x1", "1.a"],
];
const urls = [...edges.map(([address]) => hostOf(address)), ...names].map((host) => `https://${host}/hook`);

test.each([
  ["", ""],
  ["127.0.0.0/8,::1/128", ""],
  ["10.0.0.0/8,fd00::/8,::ffff:0:0/96,2002:a00::/24", "hooks,*.internal"],
  ["0.0.0.0/0", "*.local"],
  ["::/0", "localhost"],
])(
  "SQL accepts the URLs that isPrivateTarget accepts, with the ranges %j and the names %j allowed",
  async (ranges, hosts) => {
    const allowed = allowing(ranges, hosts);
    const expected = urls.filter((url) => urlFault(url) === undefined && !isPrivateTarget(url, allowed));
    expect(await accepted(urls, allowed)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(40);
  },
);

test("a random address is reachable in SQL exactly if it is in TypeScript", async () => {
  const byte = () => Math.floor(Math.random() * 256);
  const group = () => Math.floor(Math.random() * 65_536).toString(16);
  const prefixes = ["2002:", "64:ff9b::", "::ffff:", "::", "2001:", "2000:", "3fff:", "fd00:"];
  const random = Array.from({ length: 2_000 }, (_, each) => {
    if (each % 2 === 0) return `https://${[byte(), byte(), byte(), byte()].join(".")}/`;
    const prefix = prefixes[each % prefixes.length] ?? "";
    return `https://[${prefix}${prefix.endsWith("::") ? "" : `${group()}:${group()}::`}${group()}:${group()}]/`;
  });
  const sent = random.filter((url) => urlFault(url) === undefined);
  expect(sent.length).toBeGreaterThan(1_500);
  const none = allowing();
  expect(await accepted(sent, none)).toEqual(sent.filter((url) => !isPrivateTarget(url, none)));
});
