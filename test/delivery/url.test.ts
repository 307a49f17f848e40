import { parseRanges, refusesUrl } from "../../src/delivery/address.ts";
import { edges } from "./edges.ts";

const none = parseRanges("");

test.each(edges)(
  "an endpoint at %s, at the edge of a range, is judged by the table: reachable is %p",
  (address, reachable) => {
    expect(refusesUrl(`https://${address.includes(":") ? `[${address}]` : address}/`, none)).toBe(!reachable);
  },
);

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
])("an endpoint at %s is refused", (url) => {
  expect(refusesUrl(url, none)).toBe(true);
});

test.each([
  "https://hooks.example.com/a?b=c",
  "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]/",
  "https://localhost.example.com/",
  "https://notlocalhost/",
  "https://10.0.0.1.example.com/",
])("an endpoint at %s is accepted: names are checked at delivery", (url) => {
  expect(refusesUrl(url, none)).toBe(false);
});

test("localhost is accepted once loopback of either family is opened", () => {
  expect(refusesUrl("https://localhost:8443/", parseRanges("127.0.0.1/32"))).toBe(false);
  expect(refusesUrl("https://localhost:8443/", parseRanges("::1/128"))).toBe(false);
  expect(refusesUrl("https://localhost:8443/", parseRanges("10.0.0.0/8"))).toBe(true);
});

test("an address literal is accepted once its range is opened", () => {
  expect(refusesUrl("https://0x7f.1/", parseRanges("127.0.0.0/8"))).toBe(false);
  expect(refusesUrl("https://10.0.0.1/", parseRanges("127.0.0.0/8"))).toBe(true);
});

test("what is no URL at all is for the schema to refuse", () => {
  expect(refusesUrl("", none)).toBe(false);
  expect(refusesUrl("https://300.0.0.1/", none)).toBe(false);
});
