/** Validation of webhook URLs. (docs/specification/webhooks.md#url-rules) */
import { parseRanges } from "../../src/delivery/address.ts";
import { parseHosts } from "../../src/delivery/host-names.ts";
import { isPrivateTarget, urlFault } from "../../src/delivery/webhook-url.ts";
import { edges } from "./edges.ts";

const allowing = (ranges: string, hosts = "") => ({ ranges: parseRanges(ranges), hosts: parseHosts(hosts) });
const none = allowing("");

test.each(edges)("isPrivateTarget of %s, at the edge of a range: reachable is %p", (address, reachable) => {
  expect(isPrivateTarget(`https://${address.includes(":") ? `[${address}]` : address}/`, none)).toBe(!reachable);
});

test.each([
  "https://localhost/hook",
  "https://LocalHost:8443/",
  "https://localhost./",
  "https://api.localhost/",
  "https://%6cocalhost/",
  "https://127.0.0.1/",
  "https://127.0.0.1./",
  "https://127.1/",
  "https://0x7f.1/",
  "https://0177.0.0.1/",
  "https://2130706433/",
  "https://0/",
  "https://127。0。0。1/",
  "https://user:password@10.0.0.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://100.100.100.200/",
  "https://[::1]/",
  "https://[::]/",
  "https://[fe80::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]:8443/",
  "https://[64:ff9b::a00:1]/",
  "https://[2002:a00:1::]/",
  "https://[2001::1]/",
])("isPrivateTarget refuses %s", (url) => {
  expect(urlFault(url) !== undefined || isPrivateTarget(url, none)).toBe(true);
});

test.each([
  "https://hooks.example.com/a?b=c",
  "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]/",
  "https://localhost.example.com/",
  "https://notlocalhost.example/",
  "https://10.0.0.1.example.com/",
])("isPrivateTarget accepts %s; names are checked at delivery", (url) => {
  expect(isPrivateTarget(url, none)).toBe(false);
});

test("isPrivateTarget accepts localhost if loopback of one family is allowed", () => {
  expect(isPrivateTarget("https://localhost:8443/", allowing("127.0.0.1/32"))).toBe(false);
  expect(isPrivateTarget("https://localhost:8443/", allowing("::1/128"))).toBe(false);
  expect(isPrivateTarget("https://localhost:8443/", allowing("10.0.0.0/8"))).toBe(true);
});

test("isPrivateTarget accepts an address literal if its range is allowed", () => {
  expect(isPrivateTarget("https://0x7f.1/", allowing("127.0.0.0/8"))).toBe(false);
  expect(isPrivateTarget("https://10.0.0.1/", allowing("127.0.0.0/8"))).toBe(true);
});

const label = (length: number) => "a".repeat(length);
const name253 = [label(63), label(63), label(63), label(61)].join(".");

describe.each([
  [
    "backslash",
    ["https://hooks.example.com\\@evil.example/", "https:\\\\hooks.example.com/", "https://hooks.example.com/a\\b"],
  ],
  ["@", ["https://ada@hooks.example.com/", "https://ada:word@hooks.example.com/", "https://@hooks.example.com/"]],
  ["fragment", ["https://hooks.example.com/#a", "https://hooks.example.com/#"]],
  ["port 0", ["https://hooks.example.com:0/", "https://hooks.example.com:00/", "https://8.8.8.8:0/"]],
  [
    "empty label",
    [
      "https://hooks..example.com/",
      "https://.example.com/",
      "https://hooks.example.com./",
      "https://hooks。。example.com/",
    ],
  ],
  ["more than 63 characters", [`https://${label(64)}.example.com/`, `https://${"ü".repeat(60)}.example.com/`]],
  ["more than 253 characters", [`https://${name253}a/`]],
  [
    "letters, digits and hyphen",
    ["https://my_hooks.example.com/", "https://hooks$.example.com/", "https://hooks!.example.com/"],
  ],
  [
    "https address",
    [
      "http://hooks.example.com/",
      "https:/hooks.example.com/",
      "https://hooks.example.com:99999/",
      "https://ho oks.example.com/",
      "https://300.0.0.1/",
      "",
    ],
  ],
  ["must have a host name", ["https:///hooks.example.com/"]],
])("%s", (rule, urls) => {
  test.each(urls)("urlFault of %s names the rule", (url) => {
    expect(urlFault(url)).toContain(rule);
  });
});

test.each([
  "https://hooks.example.com/",
  "HTTPS://Hooks.Example.COM:443/a@b?c=d@e",
  "https://bücher.example/",
  "https://xn--bcher-kva.example/",
  "https://hooks。example。com/",
  "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]:8443/",
  `https://${label(63)}.example.com/`,
  `https://${name253}/`,
])("urlFault of %s is undefined", (url) => {
  expect(urlFault(url)).toBeUndefined();
});

const localNames = [
  "localhost",
  "local",
  "internal",
  "home.arpa",
  "in-addr.arpa",
  "ip6.arpa",
  "svc",
  "cluster.local",
  "test",
  "invalid",
  "onion",
];
describe.each(localNames)("names under %s", (suffix) => {
  const url = `https://hooks.${suffix}/`;
  test("are refused, in any case and width", () => {
    for (const each of [url, url.toUpperCase().replace("HTTPS", "https"), url.replaceAll(".", "。")]) {
      expect(isPrivateTarget(each, none)).toBe(true);
    }
    expect(isPrivateTarget(`https://${suffix}/`, none)).toBe(true);
    expect(isPrivateTarget(`https://${suffix}.example/`, none)).toBe(false);
    expect(isPrivateTarget(`https://not${suffix}.example/`, none)).toBe(false);
  });

  test("are accepted if WEBHOOK_ALLOW_HOSTS lists the name or suffix, and no other name is", () => {
    expect(isPrivateTarget(url, allowing("", `hooks.${suffix}`))).toBe(false);
    expect(isPrivateTarget(url, allowing("", `other.example, *.${suffix}`))).toBe(false);
    expect(isPrivateTarget(url, allowing("", `other.${suffix}`))).toBe(true);
    expect(isPrivateTarget(`https://a.hooks.${suffix}/`, allowing("", `hooks.${suffix}`))).toBe(true);
  });
});

test("isPrivateTarget refuses a name without a dot unless WEBHOOK_ALLOW_HOSTS lists it", () => {
  expect(isPrivateTarget("https://hooks/", none)).toBe(true);
  expect(isPrivateTarget("https://hooks:8443/", allowing("", "hooks"))).toBe(false);
  expect(isPrivateTarget("https://bücher/", allowing("", "Bücher"))).toBe(false);
});

test("WEBHOOK_ALLOW_HOSTS allows no address", () => {
  expect(isPrivateTarget("https://10.0.0.1/", allowing("", "10.0.0.1"))).toBe(true);
});

test.each(["hooks..corp", "*", "*.", "my_hooks.corp", "a*.corp", "hooks.corp,", "https://hooks.corp"])(
  "WEBHOOK_ALLOW_HOSTS refuses %s",
  (text) => {
    expect(() => parseHosts(text)).toThrow("is not a host name");
  },
);
