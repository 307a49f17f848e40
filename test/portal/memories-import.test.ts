/** The import of memories in Chromium: parts, refused lines, breaks, and who may import. */
import type { APIResponse, Page, Request, Route } from "playwright-core";
import { makeMember } from "../support/database.ts";
import { gone, seen } from "../support/page-change.ts";
import { checkPage } from "../support/page-walk.ts";
import { openPortal, portalOfFile } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile(undefined, { own: true });
const { test } = here.chromium;

type Json = Record<string, unknown>;
const address = "/portal/memories/import";
const line = (externalId: string, more: Json = {}): Json => ({
  ...{ externalId, scope: "organisation", kind: "fact", subject: "Quay", value: `It is quay ${externalId}.` },
  ...more,
});
const lines = (name: string, count: number) => Array.from({ length: count }, (_, at) => line(`${name}-${at}`));
const fileOf = (content: string | Buffer, name = "memories.jsonl") => ({
  ...{ name, mimeType: "application/jsonl" },
  buffer: Buffer.from(content),
});
const jsonLines = (values: Json[], end = "\n") => values.map((each) => JSON.stringify(each)).join(end);

const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name, exact: true });
const choose = (page: Page, content: string | Buffer) =>
  page.getByLabel("File with JSON lines").setInputFiles(fileOf(content));
const press = (page: Page, name: string) => button(page, name).click();
async function begin(page: Page, content: string | Buffer): Promise<void> {
  await choose(page, content);
  await press(page, "Import");
}
const ended = (page: Page, count: string) => seen(page.getByText(`The import has ended. Lines: ${count}.`));
const counts = async (page: Page) =>
  (await page.getByRole("region", { name: "Result" }).locator("dd").allInnerTexts()).map((text) => text.trim());
const rowsOf = async (page: Page, caption: string) => {
  const rows = await page.getByRole("table", { name: caption }).locator("tbody tr").all();
  return Promise.all(
    rows.map(async (row) => (await row.locator("td").allInnerTexts()).slice(0, 3).map((text) => text.trim())),
  );
};
const stored = (name: string) =>
  here.office.db.sql<Record<"external_id" | "provenance" | "source", string>>(
    "select * from app.memories where organisation_id = $1 and external_id like $2 order by id",
    [here.data.who.organisation.id, `${name}-%`],
  );

const isPart = (request: Request) => request.url().endsWith("/memories/import") && request.method() === "POST";
/** The parts that the page sends. */
function partsOf(page: Page): { lines: number; key: string }[] {
  const parts: { lines: number; key: string }[] = [];
  page.on("request", (request) => {
    const { "idempotency-key": key = "" } = request.headers();
    if (isPart(request)) parts.push({ lines: (request.postData() ?? "").split("\n").length, key });
  });
  return parts;
}
/** Lets these handlers answer one part each, in this order, and the service all others. */
async function answers(page: Page, ...handlers: ((route: Route) => Promise<unknown>)[]): Promise<void> {
  await page.route("**/memories/import", (route) =>
    isPart(route.request()) ? (handlers.shift() ?? pass)(route) : route.fallback(),
  );
}
const refusal = (status: number, code: string) => (route: Route) =>
  route.fulfill({ status, json: { error: { code, message: "A sentence for programs." } } });
/** A busy machine may answer 503, which would change the parts that follow. */
async function answerOf(route: Route): Promise<APIResponse> {
  for (;;) {
    const response = await route.fetch();
    if (response.status() !== 503) return response;
  }
}
const pass = async (route: Route) => route.fulfill({ response: await answerOf(route) });

test("a file of several parts is imported once, and again changes nothing", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/memories");
    await page.getByRole("link", { name: "Import", exact: true }).click();
    await answers(page);
    const parts = partsOf(page);
    const given = lines("several", 1_100);
    const content = `\r\n${jsonLines(given, "\r\n")}`;
    await begin(page, content);
    await ended(page, "1,101");
    expect(parts.map((part) => part.lines)).toEqual([500, 500, 100]);
    expect(await counts(page)).toEqual(["1,100", "0", "0"]);
    const rows = await stored("several");
    expect(rows.map(({ external_id }) => external_id)).toEqual(given.map(({ externalId }) => externalId));
    expect(new Set(rows.map(({ provenance, source }) => [provenance, source].join()))).toEqual(new Set(["import,api"]));
    await press(page, "Import");
    await seen(page.getByText("1,100", { exact: true }).nth(0));
    await ended(page, "1,101");
    expect(await counts(page)).toEqual(["0", "1,100", "0"]);
    expect(parts.map((part) => part.lines)).toEqual([500, 500, 100, 500, 500, 100]);
    expect(await stored("several")).toEqual(rows);
    await page.getByRole("link", { name: "All memories" }).click();
    await seen(page.getByRole("table", { name: "Memories" }));
  }));

test("lines that the API does not accept stop their part, and are left out only on demand", () =>
  here.portal(async ({ page, open, go }) => {
    const { who } = here.data;
    const other = crypto.randomUUID();
    await who.ask("POST", "/memories/import", { memories: [line("bad-7", { value: "Another text" })] });
    const values = lines("bad", 600);
    values[7] = line("bad-7");
    values[8] = line("bad-8", { scope: "bot", botId: other });
    values[9] = line("bad-9", { kind: "health", subjectKind: "third_party" });
    values[510] = line("bad-510", { value: "", confidence: 2 });
    values[520] = line("bad-519"); // as in the line before
    const all = values.map((each) => JSON.stringify(each));
    all[515] = '{"externalId":';
    await open(address);
    await answers(page);
    await begin(page, all.join("\n"));
    const alert = page.getByRole("alert");
    await seen(alert.getByText("Lines 501 to 600 and what follows are not imported, because the lines below"));
    const unaccepted = [["516", "The line must be a JSON object on one line.", "invalid_request"]];
    expect(await rowsOf(page, "Lines that are not accepted")).toEqual(unaccepted);
    const refused = [
      ["8", "The stored memory of this externalId has other content.", "external_id_taken"],
      ["9", "The bot does not exist, or you cannot see it.", "not_found"],
      ["10", "Memories of this kind must not be stored about third parties.", "kind_restricted"],
    ];
    expect(await rowsOf(page, "Refused lines")).toEqual(refused);
    expect(await counts(page)).toEqual(["497", "0", "3"]);
    expect(await stored("bad")).toHaveLength(498);
    await checkPage(page, "unaccepted lines", async () => {});
    await press(page, "Continue without these lines");
    await ended(page, "600");
    expect(await counts(page)).toEqual(["594", "0", "6"]);
    expect((await rowsOf(page, "Refused lines")).slice(3)).toEqual([
      [
        "511",
        expect.stringMatching(/^value must have 1 to 4000 characters\. confidence must be .*\.$/),
        "invalid_request",
      ],
      ["516", ...(unaccepted[0] ?? []).slice(1)],
      ["521", "externalId must appear once.", "invalid_request"],
    ]);
    expect(await stored("bad")).toHaveLength(595);
    await checkPage(page, "refused lines", async () => {});
    await page.getByRole("link", { name: "the stored memory" }).click();
    await seen(page.getByText("Another text"));
    await go(address);
    await begin(page, "name,value\n1,2");
    await seen(alert);
    expect(await rowsOf(page, "Lines that are not accepted")).toHaveLength(2);
    await press(page, "Choose another file");
    await gone(alert);
    expect(await page.evaluate("document.activeElement.type")).toBe("file");
  }));

test("what makes a whole part too large is narrowed down to its lines", () =>
  here.portal(async ({ page, open }) => {
    await open(address);
    await answers(page);
    const parts = partsOf(page);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`extra${at}`, at]));
    await begin(page, jsonLines(lines("values", 400).map((each) => ({ ...each, ...many }))));
    await ended(page, "400");
    expect(await counts(page)).toEqual(["400", "0", "0"]);
    expect(parts.map((part) => part.lines)).toEqual([400, 200, 200]);
    const long = JSON.stringify(line("long", { extra: "x".repeat(2 ** 20) }));
    const wrong = Buffer.from('{"externalId":"\xff"}', "latin1");
    const [first, last] = lines("encoded", 2).map((each) => JSON.stringify(each));
    await begin(page, Buffer.concat([Buffer.from(`${first}\n${long}\n`), wrong, Buffer.from(`\n${last}`)]));
    await seen(page.getByText("Line 2 and what follows are not imported"));
    await press(page, "Continue without these lines");
    await ended(page, "4");
    expect(await rowsOf(page, "Refused lines")).toEqual([
      ["2", "The text is too long.", "payload_too_large"],
      ["3", "The line must be JSON lines in UTF-8.", "invalid_request"],
    ]);
    expect(await counts(page)).toEqual(["2", "0", "2"]);
    expect(await stored("encoded")).toHaveLength(2);
  }));

test("after a lost connection or answer the same part is sent again, and nothing is counted or stored twice", () =>
  here.portal(async ({ page, open }) => {
    await open(address);
    const parts = partsOf(page);
    const lost = async (route: Route) => {
      await answerOf(route); // stored, but the answer does not arrive
      await route.abort();
    };
    await answers(page, pass, (route) => route.abort(), lost, pass, refusal(429, "rate_limited"));
    await begin(page, jsonLines(lines("lost", 1_200)));
    const unknown = page.getByText(
      "Lines 501 to 1,000 may be stored or not. They are sent again, and nothing is stored twice.",
    );
    for (const count of [500, 1_000]) {
      await eventually(async () => (await stored("lost")).length === count);
      await seen(page.getByRole("alert").getByText("The service cannot be reached. Check your connection."));
      await seen(unknown);
      expect(await counts(page)).toEqual(["500", "0", "0"]);
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Try again");
      await press(page, "Try again");
    }
    await seen(page.getByText("Lines 1,001 to 1,200: waiting"));
    await ended(page, "1,200");
    expect(await counts(page)).toEqual(["1,200", "0", "0"]);
    expect(await stored("lost")).toHaveLength(1_200);
    const [first, second, third, fourth, fifth, sixth] = parts.map(({ key }) => key);
    expect([second, third, fourth]).toEqual([second, second, second]);
    expect(fifth).toBe(sixth);
    expect(new Set([first, second, fifth]).size).toBe(3);
  }));

test("a part that the service cannot take is sent in halves, and a lasting refusal says what is not imported", () =>
  here.portal(async ({ page, open }) => {
    await open(address);
    const parts = partsOf(page);
    const unavailable = refusal(503, "unavailable");
    const tooLarge = refusal(413, "payload_too_large");
    await answers(page, tooLarge, unavailable, pass, pass, unavailable, unavailable, unavailable, unavailable);
    await begin(page, jsonLines(lines("halves", 500)));
    await seen(page.getByRole("alert").getByText("The service cannot answer at the moment. Try again."));
    expect(parts.map((part) => part.lines)).toEqual([500, 250, 125, 250, 125, 63, 32, 16]);
    await seen(page.getByText("Lines 376 to 383 may be stored or not."));
    expect(await counts(page)).toEqual(["375", "0", "0"]);
    expect(await stored("halves")).toHaveLength(375);
    await page.unroute("**/memories/import");
    await answers(page, refusal(429, "quota_exceeded"));
    await press(page, "Try again");
    await seen(page.getByRole("alert").getByText("A limit of the organisation is reached."));
    await seen(page.getByText("Lines 376 to 383 and what follows are not imported."));
    await press(page, "Try again");
    await ended(page, "500");
    expect(await counts(page)).toEqual(["500", "0", "0"]);
    expect(await stored("halves")).toHaveLength(500);
  }));

test("Stop and leaving the page end the import, and Continue sends the rest", () =>
  here.portal(async ({ page, open, go }) => {
    await open(address);
    const parts = partsOf(page);
    const hold = () => new Promise(() => {});
    await answers(page, pass, hold, pass, hold);
    await begin(page, jsonLines(lines("stop", 1_400)));
    await seen(page.getByText("Lines 501 to 1,000 …"));
    expect(Number(await page.getByRole("progressbar").getAttribute("value"))).toBeCloseTo(500 / 1_400, 1);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Stop");
    await press(page, "Stop");
    await seen(page.getByText("Stopped. Lines 501 to 1,000 may be stored or not."));
    expect(await counts(page)).toEqual(["500", "0", "0"]);
    await press(page, "Continue");
    await seen(page.getByText("Lines 1,001 to 1,400 …"));
    expect(await stored("stop")).toHaveLength(1_000);
    await go("/portal/memories");
    await go(address);
    expect(await button(page, "Import").count()).toBe(1);
    expect(parts.map((part) => part.lines)).toEqual([500, 500, 500, 400]);
    expect(await stored("stop")).toHaveLength(1_000);
  }));

test("a file that changes after it was chosen is not imported in parts of both", () =>
  here.portal(async ({ page, open }) => {
    await open(address);
    await choose(page, jsonLines(lines("changed", 2)));
    await page.evaluate(
      `Object.defineProperty(Blob.prototype, "arrayBuffer", { value: () => Promise.reject(new DOMException("", "NotReadableError")) })`,
    );
    await press(page, "Import");
    await seen(page.getByRole("alert").getByText("The file cannot be read any more. Choose it again."));
    expect(await stored("changed")).toEqual([]);
  }));

test("a person who becomes a member during the import sees why, and what was stored stays", async () => {
  const { db } = here.office;
  const { who } = here.data;
  const person = await makeMember(db, who.organisation.id, "admin");
  const tab = await openPortal(here.chromium.browser, {
    url: here.office.api.url,
    who,
    session: { personId: person },
  });
  await tab.open(address);
  await answers(tab.page, pass, async (route) => {
    await db.sql("update app.memberships set role = 'member' where person_id = $1", [person]);
    await route.continue();
  });
  await begin(tab.page, jsonLines(lines("demoted", 700)));
  await seen(tab.page.getByText("Owners and admins import memories. This session cannot."));
  expect(await stored("demoted")).toHaveLength(500);
  expect((await tab.close()).complaints).toEqual([]);
});

test("a member and a session of another section have no import", async () => {
  const { who, member } = here.data;
  const notice = "Owners and admins import memories. This session cannot.";
  for (const [session, text] of [
    [{ personId: member }, notice],
    [{ sections: ["runs"] }, "No such page"],
  ] as const) {
    const tab = await openPortal(here.chromium.browser, { url: here.office.api.url, who, session });
    await tab.open("/portal/memories");
    expect([text, await tab.page.getByRole("link", { name: "Import", exact: true }).count()]).toEqual([text, 0]);
    await tab.open(address);
    await seen(tab.page.getByText(text));
    expect(await tab.page.getByLabel("File with JSON lines").count()).toBe(0);
    await tab.close();
  }
});
