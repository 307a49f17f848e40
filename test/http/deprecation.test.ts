/** Responses of a deprecated operation name its end. (docs/versioning.md; RFC 9745, RFC 8594.) */

import { openApiDocument } from "../../src/api/openapi/document.ts";
import type { Deprecated, Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
const headerNames = ["deprecation", "sunset", "link"] as const;

/** The operation is deprecated during `work`. */
async function whileDeprecated(name: string, deprecated: Deprecated, work: () => Promise<void>): Promise<void> {
  const operation = operations.find((each) => each.name === name) as Operation;
  operation.deprecated = deprecated;
  try {
    await work();
  } finally {
    delete operation.deprecated;
  }
}

const headersOf = ({ headers }: { headers: Headers }) => headerNames.map((name) => headers.get(name));

test("Successes and refusals of a deprecated operation carry the deprecation, sunset and link headers", async () => {
  const ada = await here.owner("read");
  const deprecated = { since: "2027-01-31", sunset: "2027-10-31", link: "https://botstead.example/versions#bots" };
  const expected = [
    "@1801353600",
    "Sun, 31 Oct 2027 00:00:00 GMT",
    '<https://botstead.example/versions#bots>; rel="deprecation"; type="text/html"',
  ];
  await whileDeprecated("list_bots", deprecated, async () => {
    const listed = await ada.get("/bots");
    expect([listed.status, ...headersOf(listed)]).toEqual([200, ...expected]);
    const refused = await ada.get("/bots?limit=0");
    expect([refused.status, ...headersOf(refused)]).toEqual([400, ...expected]);
    expect(headersOf(await ada.get("/me"))).toEqual([null, null, null]);
  });
  expect(headersOf(await ada.get("/bots"))).toEqual([null, null, null]);
});

test("A deprecated operation without an end carries no sunset header", async () => {
  const ada = await here.owner("read");
  await whileDeprecated("list_bots", { since: "2027-01-31" }, async () => {
    expect(headersOf(await ada.get("/bots"))).toEqual(["@1801353600", null, null]);
  });
});

test("The OpenAPI document marks only the deprecated operation", async () => {
  const marked = () =>
    Object.values(openApiDocument("https://api.example.com").paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ deprecated }) => deprecated)
      .map(({ operationId }) => operationId);
  const before = marked();
  await whileDeprecated("list_bots", { since: "2027-01-31" }, async () => {
    expect(marked()).toEqual([...before, "list_bots"]);
  });
});

test("A caller without a credential gets no deprecation headers", async () => {
  await whileDeprecated("list_bots", { since: "2027-01-31" }, async () => {
    const nobody = await here.api.call("GET", "/bots");
    expect([nobody.status, ...headersOf(nobody)]).toEqual([401, null, null, null]);
  });
});

test("Each deprecated operation has valid dates and at least 180 days between deprecation and sunset", () => {
  for (const { name, deprecated } of operations) {
    if (!deprecated) continue;
    const since = Date.parse(`${deprecated.since}T00:00:00Z`);
    const sunset = Date.parse(`${deprecated.sunset ?? "9999-12-31"}T00:00:00Z`);
    expect([name, Number.isFinite(since), (sunset - since) / 86_400_000 >= 180]).toEqual([name, true, true]);
  }
});
