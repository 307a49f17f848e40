/** An operation that is to go says so, in the answers to whoever calls it. (docs/versioning.md; RFC 9745, RFC 8594.) */
import type { Deprecated, Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
const told = ["deprecation", "sunset", "link"] as const;

/** The operation is deprecated while `work` goes on. */
async function whileDeprecated(name: string, deprecated: Deprecated, work: () => Promise<void>): Promise<void> {
  const operation = operations.find((each) => each.name === name) as Operation;
  operation.deprecated = deprecated;
  try {
    await work();
  } finally {
    delete operation.deprecated;
  }
}

const headersOf = ({ headers }: { headers: Headers }) => told.map((name) => headers.get(name));

test("successes and refusals of a deprecated operation carry since when, until when, and what is in its place", async () => {
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

test("what has no end yet names none", async () => {
  const ada = await here.owner("read");
  await whileDeprecated("list_bots", { since: "2027-01-31" }, async () => {
    expect(headersOf(await ada.get("/bots"))).toEqual(["@1801353600", null, null]);
  });
});

test("the document marks it, and nothing else", async () => {
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

test("a caller without a credential is told nothing by it", async () => {
  await whileDeprecated("list_bots", { since: "2027-01-31" }, async () => {
    const nobody = await here.api.call("GET", "/bots");
    expect([nobody.status, ...headersOf(nobody)]).toEqual([401, null, null, null]);
  });
});

test("each operation that is deprecated names days that can be read, and its end lies half a year off at least", () => {
  for (const { name, deprecated } of operations) {
    if (!deprecated) continue;
    const since = Date.parse(`${deprecated.since}T00:00:00Z`);
    const sunset = Date.parse(`${deprecated.sunset ?? "9999-12-31"}T00:00:00Z`);
    expect([name, Number.isFinite(since), (sunset - since) / 86_400_000 >= 180]).toEqual([name, true, true]);
  }
});
